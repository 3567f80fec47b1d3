"""GPTs trained by several nodes at once with AdamW, simulated on one GPU: what does it cost to average less?"""

"""Decentralised training of n nodes, simulated as one stacked network on one device."""

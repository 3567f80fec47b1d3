"""Real networks of namespaces with shaped links, on one machine; what measure and predictions are held against."""

"""What all staged statements share: state, graphs of parts, what stands around."""

"""What a graph cannot see: other code, the process, reads that differ from run to run."""

"""Ways out: graphs as files and programs of other systems. The public names are in `runtime.export`."""

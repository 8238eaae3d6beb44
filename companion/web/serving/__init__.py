"""The server: connections in one event loop, a few threads, a request and its answer."""

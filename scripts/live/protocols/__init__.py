"""How clients speak to a server: a connection, and when a reply is whole."""

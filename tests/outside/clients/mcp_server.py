"""A server of tools made with the official package: over stdio, or over HTTP at a port of 127.0.0.1.

    mcp_server.py [PORT]
"""

import os
import sys

from mcp.server.mcpserver import MCPServer

server = MCPServer("shelf")
SHELF = {"whale": "A whale is a mammal.", "shark": "A shark is a fish."}


@server.tool(name="shelf.search")
def search(text: str) -> str:
    """Finds what the shelf says about a word."""
    print(f"searched for {text}", file=sys.stderr)
    found = SHELF.get(text)
    if found is None:
        raise ValueError(f"nothing about {text}")
    return found


@server.tool()
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


@server.tool()
def end() -> str:
    """Ends the server at once, the first time that a file is not there."""
    mark = os.environ.get("MARK")
    if mark and not os.path.exists(mark):
        open(mark, "w").close()
        os._exit(3)
    return "still here"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        server.run(transport="streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
    else:
        server.run()

"""Plays episodes with the client of the official package, and prints what it saw as one JSON object.

    mcp_play.py MODE TOKEN URL
    mcp_play.py MODE - COMMAND ARGUMENT ...

MODE is `auto` or `legacy`; TOKEN is `-` where none is needed.
"""

import asyncio
import json
import sys

import httpx2
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client


async def call(client, tool, **arguments):
    result = await client.call_tool(tool, arguments)
    text = result.content[0].text
    if result.is_error:
        return {"error": text}
    assert json.loads(text) == result.structured_content
    return result.structured_content


async def main(mode, token, target):
    if target[0].startswith("http"):
        if token != "-":
            headers = {"Authorization": f"Bearer {token}"}
            server = streamable_http_client(target[0], http_client=httpx2.AsyncClient(headers=headers))
        else:
            server = target[0]
    else:
        server = StdioServerParameters(command=target[0], args=target[1:])
    async with Client(server, mode=mode) as client:
        tools = await client.list_tools()
        seen = {"version": client.protocol_version, "tools": [tool.name for tool in tools.tools]}
        assert all(tool.output_schema for tool in tools.tools)
        seen["tasks"] = await call(client, "tasks", start=0, stop=2)
        first = await call(client, "begin", task=0)
        second = await call(client, "begin", task=1, seed=7)
        seen["begun"] = [first, second]
        looked = [await call(client, "perform", episode=begun["episode"], action="look") for begun in (first, second)]
        seen["looked"] = looked
        seen["refused"] = await call(client, "perform", episode=first["episode"], action="fly to the moon")
        seen["said"] = await call(client, "speak", episode=first["episode"], text="Where is it?")
        seen["ended"] = [await call(client, "assess", episode=begun["episode"]) for begun in (first, second)]
        seen["again"] = await call(client, "assess", episode=first["episode"])
        seen["late"] = await call(client, "perform", episode=first["episode"], action="look")
        seen["wrong"] = await call(client, "perform", episode="main:99:0", action="look")
        seen["unknown"] = await call(client, "begin", tsk=0)
        try:
            await client.call_tool("fly", {})
        except MCPError as error:
            seen["no_tool"] = error.error.code
    print(json.dumps(seen))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3:]))

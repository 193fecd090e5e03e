"""Calls a tool and lists the tools with a Python client, in a mode. Prints both as JSON."""

import asyncio
import json
import os
import sys

import fastmcp
import mcp
from fastmcp.client.transports import StreamableHttpTransport
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

library, mode = sys.argv[1:]
url = f"{os.environ['BASE_URL']}/mcp"
headers = {"Authorization": f"Bearer {os.environ['API_KEY']}"}


def clientOf() -> mcp.Client | fastmcp.Client:
    if library == "fastmcp":
        return fastmcp.Client(StreamableHttpTransport(url, headers=headers), mode=mode)
    return mcp.Client(streamable_http_client(url, http_client=create_mcp_http_client(headers)), mode=mode)


async def main() -> None:
    async with clientOf() as client:
        called = await client.call_tool("list_events", {"per_page": 2})
        listed = await client.list_tools()
        tools = listed if library == "fastmcp" else listed.tools
        print(json.dumps({"answer": called.content[0].text, "tools": [tool.name for tool in tools]}))


asyncio.run(main())

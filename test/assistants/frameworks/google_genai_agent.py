# /// script
# dependencies = ["google-genai==3.6.1", "mcp==2.3.0"]
# ///
import asyncio
import os

from google import genai
from mcp import ClientSession
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client


async def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['API_KEY']}"}
    transport = streamable_http_client(f"{os.environ['BASE_URL']}/mcp", http_client=create_mcp_http_client(headers))
    async with transport as (read, write, *_), ClientSession(read, write) as session:
        await session.initialize()
        client = genai.Client(api_key="stub", http_options={"base_url": os.environ["MODEL_URL"]})
        # A GenerateContentConfig copies its tools, which a session does not allow.
        config = {"tools": [session], "automatic_function_calling": {"maximum_remote_calls": 20}}
        await client.aio.models.generate_content(model="stub", contents="Start.", config=config)


asyncio.run(main())

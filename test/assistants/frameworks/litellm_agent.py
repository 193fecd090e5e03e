# /// script
# dependencies = ["litellm==1.110.2", "mcp==2.3.0"]
# ///
import asyncio
import os

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

from litellm import acompletion, mcp_client  # noqa: E402
from mcp import ClientSession  # noqa: E402
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client  # noqa: E402


async def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['API_KEY']}"}
    transport = streamable_http_client(f"{os.environ['BASE_URL']}/mcp", http_client=create_mcp_http_client(headers))
    async with transport as (read, write, *_), ClientSession(read, write) as session:
        await session.initialize()
        tools = await mcp_client.load_mcp_tools(session, format="openai")
        messages = [{"role": "user", "content": "Start."}]
        model = {"model": "openai/stub", "api_base": f"{os.environ['MODEL_URL']}/v1", "api_key": "stub"}
        while True:
            message = (await acompletion(**model, messages=messages, tools=tools)).choices[0].message
            messages.append(message.model_dump(exclude_none=True))
            if not message.tool_calls:
                return
            for call in message.tool_calls:
                result = await mcp_client.call_openai_tool(session, call.model_dump())
                text = "\n".join(block.text for block in result.content)
                messages.append({"role": "tool", "tool_call_id": call.id, "content": text})


asyncio.run(main())

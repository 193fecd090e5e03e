# /// script
# dependencies = ["openai-agents==0.24.0"]
# ///
import asyncio
import os

from agents import Agent, OpenAIChatCompletionsModel, Runner, set_tracing_disabled
from agents.mcp import MCPServerStreamableHttp
from openai import AsyncOpenAI

set_tracing_disabled(True)


async def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['API_KEY']}"}
    client = AsyncOpenAI(base_url=f"{os.environ['MODEL_URL']}/v1", api_key="stub")
    async with MCPServerStreamableHttp({"url": f"{os.environ['BASE_URL']}/mcp", "headers": headers}) as server:
        agent = Agent("Assistant", mcp_servers=[server], model=OpenAIChatCompletionsModel("stub", client))
        await Runner.run(agent, "Start.", max_turns=20)


asyncio.run(main())

# /// script
# dependencies = ["langchain==1.5.2", "langchain-mcp-adapters==0.3.2", "langchain-openai==1.7.4"]
# ///
import asyncio
import os

from langchain.agents import create_agent
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_openai import ChatOpenAI


async def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['API_KEY']}"}
    server = {"transport": "streamable_http", "url": f"{os.environ['BASE_URL']}/mcp", "headers": headers}
    tools = await MultiServerMCPClient({"ticketing": server}).get_tools()
    model = ChatOpenAI(model="stub", base_url=f"{os.environ['MODEL_URL']}/v1", api_key="stub")
    await create_agent(model, tools).ainvoke({"messages": [("user", "Start.")]}, {"recursion_limit": 50})


asyncio.run(main())

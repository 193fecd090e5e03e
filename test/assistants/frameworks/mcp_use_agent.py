# /// script
# dependencies = ["mcp-use==1.7.1", "langchain-openai==1.7.4"]
# ///
import asyncio
import os

from langchain_openai import ChatOpenAI
from mcp_use import MCPAgent, MCPClient


async def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['API_KEY']}"}
    server = {"url": f"{os.environ['BASE_URL']}/mcp", "headers": headers}
    client = MCPClient.from_dict({"mcpServers": {"ticketing": server}})
    model = ChatOpenAI(model="stub", base_url=f"{os.environ['MODEL_URL']}/v1", api_key="stub")
    await MCPAgent(llm=model, client=client, max_steps=30).run("Start.")
    await client.close_all_sessions()


asyncio.run(main())

# /// script
# dependencies = ["llama-index-core==0.14.25", "llama-index-llms-openai-like==0.8.1", "llama-index-tools-mcp==0.6.0"]
# ///
import asyncio
import os

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.llms.openai_like import OpenAILike
from llama_index.tools.mcp import BasicMCPClient, McpToolSpec


async def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['API_KEY']}"}
    client = BasicMCPClient(f"{os.environ['BASE_URL']}/mcp", headers=headers)
    tools = await McpToolSpec(client).to_tool_list_async()
    url = f"{os.environ['MODEL_URL']}/v1"
    model = OpenAILike(model="stub", api_base=url, api_key="stub", is_chat_model=True, is_function_calling_model=True)
    await FunctionAgent(tools=tools, llm=model, streaming=False).run("Start.", max_iterations=30)


asyncio.run(main())

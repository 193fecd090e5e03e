# /// script
# dependencies = ["semantic-kernel[mcp]==1.45.0"]
# ///
import asyncio
import os

from openai import AsyncOpenAI
from semantic_kernel import Kernel
from semantic_kernel.connectors.ai.function_choice_behavior import FunctionChoiceBehavior
from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion, OpenAIChatPromptExecutionSettings
from semantic_kernel.connectors.mcp import MCPStreamableHttpPlugin
from semantic_kernel.contents import ChatHistory


async def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['API_KEY']}"}
    client = AsyncOpenAI(base_url=f"{os.environ['MODEL_URL']}/v1", api_key="stub")
    url = f"{os.environ['BASE_URL']}/mcp"
    async with MCPStreamableHttpPlugin("ticketing", url, headers=headers, load_prompts=False) as plugin:
        kernel = Kernel()
        kernel.add_plugin(plugin)
        model = OpenAIChatCompletion(ai_model_id="stub", async_client=client)
        calls = FunctionChoiceBehavior.Auto(maximum_auto_invoke_attempts=20)
        settings = OpenAIChatPromptExecutionSettings(function_choice_behavior=calls)
        history = ChatHistory()
        history.add_user_message("Start.")
        await model.get_chat_message_content(history, settings, kernel=kernel)


asyncio.run(main())

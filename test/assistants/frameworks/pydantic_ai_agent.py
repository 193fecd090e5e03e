# /// script
# dependencies = ["pydantic-ai-slim[mcp,openai]==2.68.0"]
# ///
import os

from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

headers = {"Authorization": f"Bearer {os.environ['API_KEY']}"}
toolset = MCPToolset(f"{os.environ['BASE_URL']}/mcp", headers=headers, max_retries=5)
provider = OpenAIProvider(base_url=f"{os.environ['MODEL_URL']}/v1", api_key="stub")
Agent(OpenAIChatModel("stub", provider=provider), toolsets=[toolset]).run_sync("Start.")

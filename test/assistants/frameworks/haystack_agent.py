# /// script
# dependencies = ["haystack-ai==3.4.1", "mcp-haystack==2.1.1"]
# ///
import os

from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.utils import Secret
from haystack_integrations.tools.mcp import MCPToolset, StreamableHttpServerInfo

headers = {"Authorization": f"Bearer {os.environ['API_KEY']}"}
tools = MCPToolset(StreamableHttpServerInfo(url=f"{os.environ['BASE_URL']}/mcp", headers=headers), eager_connect=True)
url = f"{os.environ['MODEL_URL']}/v1"
model = OpenAIChatGenerator(api_key=Secret.from_token("stub"), model="stub", api_base_url=url)
Agent(chat_generator=model, tools=tools).run(messages=[ChatMessage.from_user("Start.")])

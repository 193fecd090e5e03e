# /// script
# dependencies = ["smolagents[mcp,openai]==1.26.0", "mcp[ws]==1.30.0"]
# ///
import os

from smolagents import MCPClient, OpenAIModel, ToolCallingAgent

headers = {"Authorization": f"Bearer {os.environ['API_KEY']}"}
server = {"url": f"{os.environ['BASE_URL']}/mcp", "transport": "streamable-http", "headers": headers}
with MCPClient(server, structured_output=False) as tools:
    model = OpenAIModel("stub", api_base=f"{os.environ['MODEL_URL']}/v1", api_key="stub")
    ToolCallingAgent(tools=tools, model=model).run("Start.")

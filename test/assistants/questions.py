"""Answers questions as an assistant would, with fastmcp's client. Prints the answers as JSON."""

import asyncio
import json
import os
from datetime import datetime, timedelta, timezone

from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from fastmcp.exceptions import ToolError


async def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['API_KEY']}"}
    async with Client(StreamableHttpTransport(f"{os.environ['BASE_URL']}/mcp", headers=headers)) as client:

        async def use(name: str, **arguments: object) -> dict:
            return json.loads((await client.call_tool(name, arguments)).content[0].text)

        tools = await client.list_tools()
        events = (await use("list_events", per_page=200))["data"]
        on_sale = [event["id"] for event in events if event["ticketing_enabled"] and event["buying_enabled"]]
        reference = (await use("list_orders", per_page=1))["data"][0]["reference"]
        order = (await use("list_orders", reference=reference, expand=["tickets", "event"], fields="email"))["data"][0]
        found = await use("list_tickets", barcode=os.environ["BARCODE"], expand=["order"])
        admits = [
            ticket["status"] == "valid" and not ticket["checked_in"] and ticket["order"]["status"] == "paid"
            for ticket in found["data"]
        ]
        yesterday = (datetime.now(timezone.utc) - timedelta(days=1)).isoformat()
        changes = (await use("list_changes", changed_since=yesterday, per_page=5))["data"]
        try:
            refusal = await use("get_order", order_id=999_999_999)
        except ToolError as error:
            refusal = json.loads(str(error))["code"]
        answers = {
            "tools": [tool.name for tool in tools],
            "on_sale": on_sale,
            "buyer": order["email"],
            "bought": [ticket["id"] for ticket in order["tickets"]],
            "reference": reference,
            "admits": admits,
            "net": (await use("get_summary", event_id=on_sale[0]))["net"],
            "changes": len(changes),
            "refusal": refusal,
        }
        print(json.dumps(answers))


asyncio.run(main())

import { Badge } from "@mantine/core";
import type { ApiKey } from "../api/apiKey.ts";

export function KeyStatus({ status }: Pick<ApiKey, "status">) {
  return (
    <Badge className="status" tt="none" variant="light" color={status === "active" ? "teal" : "gray"}>
      {status === "active" ? "Active" : "Revoked"}
    </Badge>
  );
}

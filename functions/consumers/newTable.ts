import * as z from "zod";
import { markNewTable } from "../data/table/newTable.ts";
import { openTable } from "../data/table/table.ts";
import { logger } from "../log/logger.ts";

/** CloudFormation's request for a custom resource. */
const Request = z.object({
  RequestType: z.enum(["Create", "Update", "Delete"]),
  ResponseURL: z.url(),
  StackId: z.string(),
  RequestId: z.string(),
  LogicalResourceId: z.string(),
});

/**
 * Marks the stage's table as complete if it is new, when CloudFormation creates the table or the stage changes to another. If this fails, Lambda
 * retries it, and finally CloudFormation's deployment fails.
 */
export async function handler(event: unknown): Promise<void> {
  const { RequestType, ResponseURL, ...request } = Request.parse(event);
  if (RequestType !== "Delete") logger.info("newTable", { marked: await markNewTable(openTable()) });
  const answer = { ...request, Status: "SUCCESS", PhysicalResourceId: request.LogicalResourceId };
  // The URL is signed without a content type.
  const response = await fetch(ResponseURL, {
    method: "PUT",
    headers: { "Content-Type": "" },
    body: JSON.stringify(answer),
  });
  if (!response.ok) throw new Error(`CloudFormation responded with ${response.status}.`);
}

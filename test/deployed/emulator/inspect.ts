import { ListBucketsCommand, PutBucketTaggingCommand, S3Client } from "@aws-sdk/client-s3";
import * as z from "zod";

/** A request to a service of the emulator: an operation of a JSON protocol, or a path. */
interface Question {
  service: string;
  operation?: string;
  path?: string;
  input?: object;
}

/** Calls a service for which no client is installed here. @returns the response as text. @throws Error if it is an error. */
async function ask(endpoint: string, { service, operation, path = "/", input = {} }: Question): Promise<string> {
  // The emulator reads the region from here and does not check the rest.
  const scope = `Credential=test/20000101/${process.env.AWS_REGION}/${service}/aws4_request`;
  const Authorization = `AWS4-HMAC-SHA256 ${scope}, SignedHeaders=host, Signature=0`;
  const call = operation && {
    method: "POST",
    headers: { Authorization, "X-Amz-Target": operation, "Content-Type": "application/x-amz-json-1.0" },
    body: JSON.stringify(input),
  };
  const response = await fetch(endpoint + path, { headers: { Authorization }, ...call });
  const text = await response.text();
  if (!response.ok) throw new Error(`${service} returned ${response.status}: ${text}`);
  return text;
}

const Events = z.object({ events: z.array(z.object({ message: z.string() })) });

/** The maximum number of lines in one response. */
const limit = 10_000;

/** The first lines of a log group, as one text. */
export async function logsOf(logGroupName: string, endpoint: string): Promise<string> {
  const operation = "Logs_20140328.FilterLogEvents";
  const answer = await ask(endpoint, { service: "logs", operation, input: { logGroupName, limit } });
  return Events.parse(JSON.parse(answer))
    .events.map(({ message }) => message)
    .join("\n");
}

/** How to list all resources of a kind. */
const lists: Readonly<Record<string, Question>> = {
  "Lambda functions": { service: "lambda", path: "/2015-03-31/functions/" },
  "REST APIs": { service: "apigateway", path: "/restapis" },
  "S3 buckets": { service: "s3" },
  "SNS topics": { service: "sns", path: "/?Action=ListTopics&Version=2010-03-31" },
  "CloudWatch alarms": { service: "monitoring", path: "/?Action=DescribeAlarms&Version=2010-08-01" },
  "IAM roles": { service: "iam", path: "/?Action=ListRoles&Version=2010-05-08" },
  "DynamoDB tables": { service: "dynamodb", operation: "DynamoDB_20120810.ListTables" },
  "SQS queues": { service: "sqs", operation: "AmazonSQS.ListQueues" },
  "log groups": { service: "logs", operation: "Logs_20140328.DescribeLogGroups" },
  "event buses": { service: "events", operation: "AWSEvents.ListEventBuses" },
  "user pools": {
    service: "cognito-idp",
    operation: "AWSCognitoIdentityProviderService.ListUserPools",
    input: { MaxResults: 60 },
  },
};

/**
 * The resources of a stack, as the emulator's services list them rather than its CloudFormation.
 *
 * @returns the names that contain the stack's name, as all of its resources do, by kind.
 */
export async function resourcesOf(stack: string, endpoint: string): Promise<Record<string, readonly string[]>> {
  const named = new RegExp(`[\\w:/.-]*${stack}[\\w:/.-]*`, "g");
  const found = Object.entries(lists).map(async ([kind, question]) => {
    // The tags of a role also contain the stack's name.
    const answer = (await ask(endpoint, question)).replaceAll(/<Tags>.*?<\/Tags>/gs, "");
    const names = answer.match(named) ?? [];
    return [kind, [...new Set(names)]];
  });
  return Object.fromEntries(await Promise.all(found));
}

/**
 * Gives a stack's buckets the tag that lets CDK's function empty them. The template has the tag, but the emulator's CloudFormation tags
 * no buckets.
 */
export async function tagBuckets(stack: string): Promise<void> {
  const client = new S3Client({});
  const { Buckets = [] } = await client.send(new ListBucketsCommand({}));
  for (const { Name: Bucket = "" } of Buckets) {
    if (!Bucket.startsWith(stack)) continue;
    const Tagging = { TagSet: [{ Key: "aws-cdk:auto-delete-objects", Value: "true" }] };
    await client.send(new PutBucketTaggingCommand({ Bucket, Tagging }));
  }
}

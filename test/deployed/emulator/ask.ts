/** A request to a service of the emulator: an operation of a JSON protocol, or a path. */
export interface Question {
  service: string;
  operation?: string;
  path?: string;
  input?: object;
}

/** Calls a service for which no client is installed here. @returns the response as text. @throws Error if it is an error. */
export async function ask(endpoint: string, { service, operation, path = "/", input = {} }: Question): Promise<string> {
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

import { Anchor, Stack, Text, Title } from "@mantine/core";
import { CopyField } from "./parts/CopyField.tsx";

export function QuickStart() {
  const { origin } = location;
  return (
    <Stack gap={20} maw="46rem">
      <Title order={2} size="h3">
        Quick start for integrators
      </Title>
      <Text size="sm">
        To build an integration, you need a key and this page. Every operation, field and error is described in the{" "}
        <Anchor href="/docs" target="_blank" rel="noopener" underline="always">
          API reference (opens in a new tab)
        </Anchor>
        .
      </Text>
      <CopyField
        label="Base URL"
        copyLabel="Copy URL"
        description="Append a path such as /v1/events."
        value={origin}
        rows={1}
      />
      <CopyField
        label="Header of every request"
        copyLabel="Copy header"
        value="Authorization: Bearer <API_KEY>"
        rows={1}
      />
      <CopyField
        label="First request"
        copyLabel="Copy command"
        description="Returns the key's name, prefix, scopes and organisation."
        value={`curl -H "Authorization: Bearer <API_KEY>" ${origin}/v1/key`}
        rows={2}
      />
      <CopyField
        label="For an AI assistant"
        copyLabel="Copy address"
        description={
          <>
            A read-only server for the Model Context Protocol. Create a separate key for it. The guide explains{" "}
            <Anchor href="/docs#description/assistants" target="_blank" rel="noopener" underline="always" inherit>
              how to connect it and what it can see (opens in a new tab)
            </Anchor>
            .
          </>
        }
        value={`${origin}/mcp`}
        rows={1}
      />
      <CopyField
        label="Message to an integrator"
        copyLabel="Copy text"
        description="Send this to the integrator. Send the key separately."
        value={handOut(origin)}
        rows={12}
      />
    </Stack>
  );
}

/** The quick start as plain text to send to an integrator. It must not contain a key. */
function handOut(origin: string): string {
  return `Ticketing API: getting started

Base URL: ${origin}
Every request has the header: Authorization: Bearer <API_KEY>
You receive the key separately. Keep it secret, like a password.

First request. It returns the key's name, scopes and organisation:
curl -H "Authorization: Bearer <API_KEY>" ${origin}/v1/key

Lists come in pages: request ?per_page=1000, and while pagination.next_cursor
is not null, request the next page with &cursor=<next_cursor>.

Errors are JSON with status, code, detail and request_id. 401: the key is
missing, wrong or revoked. 403: it lacks a scope. 429 and 503: wait as long
as the Retry-After header says, then try again.

Reference: ${origin}/docs
For an AI assistant: ${origin}/llms.txt`;
}

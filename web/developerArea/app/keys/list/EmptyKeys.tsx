import { Button, Paper, Text } from "@mantine/core";

export function EmptyKeys({ onCreate }: { onCreate: () => void }) {
  return (
    <Paper withBorder radius="md" className="empty-keys">
      <svg viewBox="0 0 48 48" width="56" height="56" aria-hidden="true">
        <circle cx="16" cy="24" r="9" />
        <path d="M25 24h19M38 24v7M31 24v5" />
      </svg>
      <Text fw={600}>There are no API keys yet</Text>
      <Text c="dimmed" size="sm">
        A website, an accounting system or a newsletter needs a key to read your ticketing data. Give each of them its
        own.
      </Text>
      <Button onClick={onCreate}>Create the first key</Button>
    </Paper>
  );
}

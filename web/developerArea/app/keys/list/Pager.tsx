import { Button, Group, Text } from "@mantine/core";
import { rowsPerPage } from "./listView.ts";

interface PagerProps {
  /** From 0. */
  page: number;
  count: number;
  onChange: (page: number) => void;
}

/** Which of the matching keys are shown, with buttons for the others. */
export function Pager({ page, count, onChange }: PagerProps) {
  const first = page * rowsPerPage;
  const end = Math.min(first + rowsPerPage, count);
  return (
    <Group justify="space-between" mt="sm">
      <Text size="sm" c="dimmed" role="status">
        {count <= rowsPerPage ? `${count} ${count === 1 ? "key" : "keys"}` : `${first + 1}–${end} of ${count} keys`}
      </Text>
      {count > rowsPerPage && (
        <Group gap="xs" role="group" aria-label="Pages">
          <Button variant="default" size="xs" disabled={page === 0} onClick={() => onChange(page - 1)}>
            Previous
          </Button>
          <Button variant="default" size="xs" disabled={end === count} onClick={() => onChange(page + 1)}>
            Next
          </Button>
        </Group>
      )}
    </Group>
  );
}

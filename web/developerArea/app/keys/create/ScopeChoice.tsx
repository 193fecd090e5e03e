import { Checkbox, Stack } from "@mantine/core";
import { scopes } from "../scopes.ts";

interface ScopeChoiceProps {
  chosen: string[];
  onChoose: (scopes: string[]) => void;
  error: string | null;
}

export function ScopeChoice({ chosen, onChoose, error }: ScopeChoiceProps) {
  return (
    <Checkbox.Group
      label="Scopes"
      description="What the key may do. Give it no more than it needs."
      {...{ error }}
      value={chosen}
      onChange={onChoose}
    >
      <Stack gap="sm" mt="xs">
        {scopes.map(({ scope, allows }) => (
          <Checkbox
            key={scope}
            value={scope}
            label={<code>{scope}</code>}
            description={allows}
            disabled={scope === "read"}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

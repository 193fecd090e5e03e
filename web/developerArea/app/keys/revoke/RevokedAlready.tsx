import { Button, Group, Text } from "@mantine/core";
import type { ApiKey } from "../../api/apiKey.ts";
import { RelativeTime } from "../../parts/RelativeTime.tsx";

interface RevokedAlreadyProps {
  apiKey: ApiKey;
  onClose: () => void;
}

export function RevokedAlready({ apiKey: { name, revoked, revoked_by }, onClose }: RevokedAlreadyProps) {
  return (
    <>
      <Text role="status" className="breakable">
        “{name}” was revoked{revoked_by !== null && ` by ${revoked_by}`}{" "}
        {revoked !== null && <RelativeTime instant={revoked} />}. Nothing is left to do.
      </Text>
      <Group justify="flex-end" mt="md">
        <Button data-autofocus onClick={onClose}>
          Close
        </Button>
      </Group>
    </>
  );
}

import { Title } from "@mantine/core";
import type { ApiKey } from "../../api/apiKey.ts";
import { ActivityEntry } from "../../parts/ActivityEntry.tsx";
import { KeyLink } from "../KeyLink.tsx";

/** Who did what with the key, latest first. */
export function KeyActivity({ apiKey, keys }: { apiKey: ApiKey; keys: ApiKey[] }) {
  const successors = keys.filter(({ replaces }) => replaces === apiKey.id);
  return (
    <section aria-labelledby="key-activity">
      <Title order={3} size="h5" id="key-activity">
        Activity
      </Title>
      <ol className="activity">
        {apiKey.revoked !== null && (
          <ActivityEntry person={apiKey.revoked_by ?? "Unknown"} time={apiKey.revoked}>
            revoked this key
          </ActivityEntry>
        )}
        {successors.map((successor) => (
          <ActivityEntry key={successor.id} person={successor.created_by} time={successor.created}>
            created its replacement <KeyLink apiKey={successor} inText />
          </ActivityEntry>
        ))}
        <ActivityEntry person={apiKey.created_by} time={apiKey.created}>
          created this key
        </ActivityEntry>
      </ol>
    </section>
  );
}

import { Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { ApiKey } from "../../api/apiKey.ts";
import { PersonName } from "../../parts/PersonName.tsx";
import { RelativeTime } from "../../parts/RelativeTime.tsx";
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
          <Entry person={apiKey.revoked_by ?? "Unknown"} time={apiKey.revoked}>
            revoked this key
          </Entry>
        )}
        {successors.map((successor) => (
          <Entry key={successor.id} person={successor.created_by} time={successor.created}>
            created its replacement <KeyLink apiKey={successor} inText />
          </Entry>
        ))}
        <Entry person={apiKey.created_by} time={apiKey.created}>
          created this key
        </Entry>
      </ol>
    </section>
  );
}

function Entry({ person, time, children }: { person: string; time: string; children: ReactNode }) {
  return (
    <li>
      <span>
        <b>
          <PersonName name={person} />
        </b>{" "}
        {children}
      </span>
      <Text size="sm" c="dimmed" component="span">
        <RelativeTime instant={time} />
      </Text>
    </li>
  );
}

import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { PersonName } from "./PersonName.tsx";
import { RelativeTime } from "./RelativeTime.tsx";

interface ActivityEntryProps {
  person: string;
  time: string;
  /** What the person did. */
  children: ReactNode;
}

/** An item of a list of activity: who did what, and when. */
export function ActivityEntry({ person, time, children }: ActivityEntryProps) {
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

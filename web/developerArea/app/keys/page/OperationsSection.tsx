import { Title } from "@mantine/core";
import { useKeyUsage } from "../../api/useKeyUsage.ts";

const shown = 5;

/** What the key is used for: the operations that it calls most, if any. */
export function OperationsSection({ keyId }: { keyId: string }) {
  const { data: { operations = [] } = {} } = useKeyUsage(keyId);
  if (operations.length === 0) return null;
  return (
    <section aria-labelledby="operations">
      <Title order={3} size="h5" id="operations">
        Top operations in the last 30 days
      </Title>
      <ol className="activity">
        {operations.slice(0, shown).map(({ operation_id, requests }) => (
          <li key={operation_id}>
            {operation_id} <span>{requests.toLocaleString("en-GB")}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

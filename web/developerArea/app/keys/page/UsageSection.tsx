import { Text, Title } from "@mantine/core";
import type { UsageDay } from "../../api/keyUsage.ts";
import { useKeyUsage } from "../../api/useKeyUsage.ts";
import { ErrorNotice } from "../../parts/ErrorNotice.tsx";
import { Waiting } from "../../parts/Waiting.tsx";
import { Fact } from "./KeyFacts.tsx";
import { UsageChart } from "./UsageChart.tsx";
import { UsageTable } from "./UsageTable.tsx";
import { usageTotals } from "./usageTotals.ts";

const count = new Intl.NumberFormat("en-GB");
const share = new Intl.NumberFormat("en-GB", { style: "percent", maximumFractionDigits: 1 });

/** The requests of the last 30 days: in total and by day. */
export function UsageSection({ keyId }: { keyId: string }) {
  const { data: usage, error, refetch, isPaused } = useKeyUsage(keyId);
  return (
    <section aria-labelledby="usage">
      <Title order={3} size="h5" id="usage">
        Requests in the last 30 days
      </Title>
      {error && <ErrorNotice title="The usage could not be loaded" error={error} onRetry={() => void refetch()} />}
      {!usage && !error && <Waiting label="Loading the usage" paused={isPaused} />}
      {usage && <Usage days={usage.days} />}
      <Text size="sm" c="dimmed" mt="sm">
        Days are in UTC. Numbers are up to a minute old. Requests that the gateway refused, such as those with a revoked
        key, are not counted.
      </Text>
    </section>
  );
}

function Usage({ days }: { days: UsageDay[] }) {
  const totals = usageTotals(days);
  if (totals.requests === 0) return <Text size="sm">No requests in the last 30 days.</Text>;
  const errors = (number: number) => `${count.format(number)} (${share.format(number / totals.requests)})`;
  return (
    <>
      <dl className="facts totals">
        <Fact name="Requests">{count.format(totals.requests)}</Fact>
        <Fact name="Client errors (4xx)">{errors(totals.client_errors)}</Fact>
        <Fact name="Server errors (5xx)">{errors(totals.server_errors)}</Fact>
      </dl>
      <UsageChart days={days} />
      <UsageTable days={days} />
    </>
  );
}

import { Anchor, Box, Group, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { focusOnMount } from "./hooks.ts";
import { Icon } from "./Labels.tsx";
import { ErrorNotice, Waiting } from "./Notices.tsx";

interface ItemPageProps {
  /** The list that the page leads back to. */
  back: { href: string; label: string };
  /** "key" */
  what: string;
  /** Null while the item is loading, undefined if it does not exist. */
  name: string | null | undefined;
  query: { error: Error | null; refetch: () => unknown };
  /** Advice if the item does not exist. */
  missing?: string;
  /** Next to the name. */
  status?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** The page of a key or webhook, while it is loading, if it could not be loaded, and if it does not exist. */
export function ItemPage(props: ItemPageProps) {
  const { back, what, name, query, missing, status, actions, children } = props;
  return (
    <Stack gap="lg">
      <Anchor href={back.href} size="sm" style={{ alignSelf: "start" }}>
        <Icon path="M19 12H5M11 6l-6 6 6 6" /> {back.label}
      </Anchor>
      {query.error && (
        <ErrorNotice
          title={`The ${what} could not be loaded`}
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      )}
      {name === null && !query.error && <Waiting label={`Loading the ${what}`} />}
      {name !== null && (
        <Group justify="space-between">
          <Group gap="sm" miw={0}>
            <Title key={name} order={1} size="h2" ref={focusOnMount} tabIndex={-1} className="key-name">
              {name ?? `This ${what} does not exist`}
            </Title>
            {status}
          </Group>
          {actions}
        </Group>
      )}
      {name === undefined && missing && <Text size="sm">{missing}</Text>}
      {typeof name === "string" && children}
    </Stack>
  );
}

interface SectionProps {
  id: string;
  title: string;
  children: ReactNode;
}

export function Section({ id, title, children }: SectionProps) {
  return (
    <section aria-labelledby={id}>
      <Title order={2} size="h5" mb="xs" id={id}>
        {title}
      </Title>
      {children}
    </section>
  );
}

interface FactsProps {
  /** Names and values; those without a value are left out. */
  facts: Record<string, ReactNode>;
  isLarge?: boolean;
}

export function Facts({ facts, isLarge = false }: FactsProps) {
  return (
    <Group component="dl" className="facts" align="flex-start" gap="md" p="md" m={0} style={{ columnGap: "2.5rem" }}>
      {Object.entries(facts).map(
        ([name, value]) =>
          value && (
            <Box miw={0} key={name}>
              <Text component="dt" size="xs" c="dimmed">
                {name}
              </Text>
              <Text component="dd" m={0} size={isLarge ? "xl" : "sm"} fw={isLarge ? 600 : undefined}>
                {value}
              </Text>
            </Box>
          ),
      )}
    </Group>
  );
}

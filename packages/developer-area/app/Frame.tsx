import {
  Alert,
  Box,
  Burger,
  Button,
  Group,
  Loader,
  type MantineColorScheme,
  Paper,
  SegmentedControl,
  Stack,
  Text,
  Title,
  useMantineColorScheme,
  VisuallyHidden,
} from "@mantine/core";
import { useNetwork } from "@mantine/hooks";
import { type MouseEvent, type ReactNode, useRef, useState } from "react";
import { Icon } from "./parts/Labels.tsx";
import { useAdmin } from "./session/admin.ts";
import type { Person } from "./session/sessionState.ts";

interface FrameProps {
  person?: Person;
  onSignOut?: () => void;
  children: ReactNode;
}

/** The admin frame: header, navigation and content. */
export function Frame({ person, onSignOut, children }: FrameProps) {
  const [menuOpen, setMenuOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const skip = (event: MouseEvent) => {
    event.preventDefault();
    main.current?.focus();
  };
  return (
    <div className="frame" data-menu={menuOpen ? "open" : "closed"} data-signed-in={person ? "" : undefined}>
      {/* biome-ignore lint/a11y/useValidAnchor: a link within the page; following its hash would select a tab that does not exist. */}
      <a className="skip-link" href="#main" onClick={skip}>
        Skip to the content
      </a>
      <OfflineBanner />
      <Group component="header" className="frame-header" gap="sm" px="lg" py={10}>
        {person && (
          <Burger
            className="frame-burger"
            size="sm"
            opened={menuOpen}
            onClick={() => setMenuOpen(!menuOpen)}
            aria-label="Menu"
            aria-expanded={menuOpen}
            aria-controls="frame-account frame-navigation"
          />
        )}
        <Group gap={8} fw={700}>
          <BrandMark />
          Ticketing
        </Group>
        <Group className="frame-account" id="frame-account" ml="auto">
          {person?.organisation && <Text size="sm">{person.organisation}</Text>}
          {person && (
            <Text size="sm" c="dimmed" className="breakable">
              {person.email}
            </Text>
          )}
          <ColorSchemeSwitch />
          {person && (
            <Button variant="default" size="xs" onClick={onSignOut}>
              Sign out
            </Button>
          )}
        </Group>
      </Group>
      {person && <Navigation />}
      <Box
        component="main"
        id="main"
        ref={main}
        tabIndex={-1}
        {...{ w: "100%", miw: 0, maw: "82rem", px: "clamp(1rem, 3vw, 2.5rem)", pt: "xl", pb: 64 }}
        mx={person ? undefined : "auto"}
      >
        {children}
      </Box>
    </div>
  );
}

function BrandMark() {
  return (
    <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <path
        fill="var(--mantine-color-anchor)"
        d="M4 7h24a2 2 0 0 1 2 2v4a3 3 0 0 0 0 6v4a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2v-4a3 3 0 0 0 0-6V9a2 2 0 0 1 2-2z"
      />
      <path stroke="var(--mantine-color-body)" strokeWidth="2" strokeDasharray="2.5 2.5" d="M20 9v14" />
    </svg>
  );
}

function Navigation() {
  return (
    <nav className="frame-navigation" id="frame-navigation" aria-label="Admin">
      <Text id="frame-tools" size="xs" fw={600} c="dimmed" px="sm" mb="xs">
        Tools
      </Text>
      <ul aria-labelledby="frame-tools">
        <li>
          <a href="#keys" aria-current="page">
            Developer area
          </a>
        </li>
        <li>
          <a href="/docs" target="_blank" rel="noopener">
            API reference <Icon path="M7 17 17 7M8 7h9v9" />
            <VisuallyHidden>(opens in a new tab)</VisuallyHidden>
          </a>
        </li>
      </ul>
    </nav>
  );
}

const choices: { value: MantineColorScheme; name: string; path: string }[] = [
  {
    value: "light",
    name: "Light",
    path: "M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM12 1v3M12 20v3M4.2 4.2l2.1 2.1M17.7 17.7l2.1 2.1M1 12h3M20 12h3M4.2 19.8l2.1-2.1M17.7 6.3l2.1-2.1",
  },
  { value: "dark", name: "Dark", path: "M21 13A9 9 0 1 1 11 3a7 7 0 0 0 10 10z" },
  { value: "auto", name: "System", path: "M3 4h18v12H3zM8 21h8M12 16v5" },
];

/** The choice is stored in the browser. */
function ColorSchemeSwitch() {
  // Otherwise Mantine would disable transitions with a <style> element.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return (
    <SegmentedControl
      size="xs"
      aria-label="Colours"
      value={colorScheme}
      onChange={setColorScheme}
      data={choices.map(({ value, name, path }) => ({
        value,
        label: (
          <Group title={name}>
            <Icon path={path} size="16" />
            <VisuallyHidden>{name}</VisuallyHidden>
          </Group>
        ),
      }))}
    />
  );
}

/** Reports a lost connection: above everything including dialogs, and at the bottom, where it hides least. */
function OfflineBanner() {
  const { online } = useNetwork();
  return (
    <Box
      role="status"
      pos="fixed"
      inset="auto 0 0"
      bg="#744600"
      c="#fff"
      fz="sm"
      ta="center"
      py={online ? 0 : 8}
      style={{ zIndex: 500 }}
    >
      {!online && "You are offline. This page may be out of date. Your input is kept."}
    </Box>
  );
}

interface StartPageProps {
  text?: string;
  /** The reason for the end of the session. */
  notice?: string | null;
  failure?: string | null;
  busy?: boolean;
  action?: { label: string; act: () => void };
}

/** The page when nobody is signed in. */
export function StartPage({ text, notice, failure, busy, action }: StartPageProps) {
  return (
    <Frame>
      <Paper withBorder radius="md" p="xl" maw="34rem" mx="auto" mt="8vh" aria-busy={busy}>
        <Stack align="flex-start">
          <Title order={1} size="h2">
            Developer area
          </Title>
          {failure && (
            <Alert color="red" role="alert" title="That did not work" w="100%">
              {failure}
            </Alert>
          )}
          {notice && (
            <Alert color="yellow" role="status" w="100%">
              {notice}
            </Alert>
          )}
          {text && <Text role="status">{text}</Text>}
          {busy && <Loader size="sm" aria-hidden />}
          {action && <Button onClick={action.act}>{action.label}</Button>}
        </Stack>
      </Paper>
    </Frame>
  );
}

/** For a signed-in person who is not a super-admin. */
export function NotAllowed() {
  const { person, signOut } = useAdmin();
  return (
    <Alert color="yellow" role="alert" title="You cannot manage API keys" mt="md">
      <Stack align="flex-start">
        <Text size="sm">
          You are signed in as <b>{person.email}</b>. Only super-admins of {person.organisation ?? "your organisation"}{" "}
          can manage API keys. Ask one of them, or sign in with another account.
        </Text>
        <Button variant="default" size="xs" onClick={signOut}>
          Sign out
        </Button>
      </Stack>
    </Alert>
  );
}

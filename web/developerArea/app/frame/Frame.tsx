import { Burger, Button, Text } from "@mantine/core";
import { type MouseEvent, type ReactNode, useRef, useState } from "react";
import type { Person } from "../session/person.ts";
import { ColorSchemeSwitch } from "./ColorSchemeSwitch.tsx";
import { Navigation } from "./Navigation.tsx";
import { OfflineBanner } from "./OfflineBanner.tsx";

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
      <header className="frame-header">
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
        <Text component="span" fw={700} className="frame-brand">
          <BrandMark />
          Ticketing
        </Text>
        <div className="frame-account" id="frame-account">
          {person?.organisation && <Text size="sm">{person.organisation}</Text>}
          {person && (
            <Text size="sm" c="dimmed" className="frame-email">
              {person.email}
            </Text>
          )}
          <ColorSchemeSwitch />
          {person && (
            <Button variant="default" size="xs" onClick={onSignOut}>
              Sign out
            </Button>
          )}
        </div>
      </header>
      {person && <Navigation />}
      <main id="main" ref={main} tabIndex={-1} className="frame-main">
        {children}
      </main>
    </div>
  );
}

function BrandMark() {
  return (
    <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <path
        fill="currentColor"
        d="M4 7h24a2 2 0 0 1 2 2v4a3 3 0 0 0 0 6v4a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2v-4a3 3 0 0 0 0-6V9a2 2 0 0 1 2-2z"
      />
      <path className="perforation" d="M20 9v14" />
    </svg>
  );
}

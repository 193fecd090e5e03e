import "./styles/mantine.css";
import "./styles/fonts.css";
import "./styles/theme.css";
import "./styles/page.css";
import "./styles/tables.css";
import "./styles/usage.css";
import "./styles/forcedColors.css";
import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { App, Theme } from "./App.tsx";
import { StartPage } from "./Frame.tsx";
import { isForAnotherWindow, Session, takeProviderAnswer } from "./session/session.ts";
import { loadConfiguration } from "./session/sessionState.ts";

const root = createRoot(document.getElementById("developer-area") ?? document.body);
const answer = takeProviderAnswer();

try {
  const session = new Session(await loadConfiguration());
  if (answer && isForAnotherWindow(answer)) {
    show(<StartPage text="You can close this window and continue in the other one." />);
    await session.handOver(answer);
  } else {
    show(<App session={session} />);
    await (answer ? session.complete(answer.href) : session.signInSilently());
  }
} catch {
  const failure = "The Developer area could not start, because its configuration could not be read.";
  const reload = { label: "Try again", act: () => location.reload() };
  show(<StartPage failure={failure} action={reload} />);
}

function show(page: ReactNode): void {
  root.render(<Theme>{page}</Theme>);
}

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
import { HandOverPage } from "./handOver/HandOverPage.tsx";
import { isHandOver, sealedIn } from "./handOver/handOver.ts";
import { isForAnotherWindow, Session, takeProviderAnswer } from "./session/session.ts";
import { loadConfiguration } from "./session/sessionState.ts";

const root = createRoot(document.getElementById("developer-area") ?? document.body);
const answer = takeProviderAnswer();
const sealed = await sealedIn(location.hash);
// A link that is opened in a tab of this page changes only the fragment, and so does Back from there.
window.addEventListener("hashchange", () => (sealed !== undefined || isHandOver(location.hash)) && location.reload());
// Dark colours cannot be read on paper.
const { dataset } = document.documentElement;
let onScreen = dataset.mantineColorScheme;
matchMedia("print").addEventListener("change", ({ matches }) => {
  if (matches) onScreen = dataset.mantineColorScheme;
  dataset.mantineColorScheme = matches ? "light" : onScreen;
});

if (sealed !== undefined) show(<HandOverPage sealed={sealed} />);
else await start();

async function start(): Promise<void> {
  try {
    const session = new Session(await loadConfiguration());
    if (answer && isForAnotherWindow(answer)) {
      show(<StartPage text="You can close this window and continue in the other one." />);
      return await session.handOver(answer);
    }
    show(<App session={session} />);
    await (answer ? session.complete(answer.href) : session.signInSilently());
  } catch {
    const failure = "The Developer area could not start, because its configuration could not be read.";
    const reload = { label: "Try again", act: () => location.reload() };
    show(<StartPage failure={failure} action={reload} />);
  }
}

function show(page: ReactNode): void {
  root.render(<Theme>{page}</Theme>);
}

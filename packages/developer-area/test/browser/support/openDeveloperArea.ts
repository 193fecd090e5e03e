import { InMemoryWebStorage, OidcClient, WebStorageStateStore } from "oidc-client-ts";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { until } from "../../../../../test/support/service/until.ts";
import type { DeveloperAreaStage } from "./developerAreaStage.ts";

export interface OpenedPage {
  page: Page;
  context: BrowserContext;
  /** Errors, warnings, violations of the policy, and requests to other origins. */
  complaints: string[];
}

/**
 * Opens the page in a separate browser context and records everything that it should not do. The page does not refresh itself.
 *
 * @param session what the page's session storage contains at first.
 */
export async function openDeveloperArea(
  browser: Browser,
  stage: DeveloperAreaStage,
  path = "/developer",
  session: Record<string, string> = {},
): Promise<OpenedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
  // A busy machine takes long to draw the page.
  context.setDefaultTimeout(120_000);
  // Stops the polling: on a busy machine, a refresh could come between any two steps of a test.
  await context.addInitScript("setInterval = () => 0");
  const complaints: string[] = [];
  context.on("page", (page) => watch(page, stage, complaints));
  const page = await context.newPage();
  if (Object.keys(session).length > 0)
    await page.addInitScript(`if (location.search) Object.assign(sessionStorage, ${JSON.stringify(session)})`);
  await page.goto(stage.origin + path);
  return { page, context, complaints };
}

function watch(page: Page, stage: DeveloperAreaStage, complaints: string[]): void {
  page.on("console", (message) => {
    // The browser itself logs error responses, which tests provoke on purpose.
    if (message.text().startsWith("Failed to load resource")) return;
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", ({ message }) => complaints.push(message));
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (![stage.origin, stage.provider.issuer].includes(origin) && protocol !== "data:") complaints.push(request.url());
  });
}

/**
 * Opens the page with the provider's response to a silent sign-in, as if it had been loaded once before to request that. Most tests need
 * only the signed-in page, and each load costs a good part of a short test.
 */
export async function openSignedIn(browser: Browser, stage: DeveloperAreaStage, hash = ""): Promise<OpenedPage> {
  const { issuer, clientId, script } = stage.provider;
  script.hasSession = true;
  const session = new InMemoryWebStorage();
  const client = new OidcClient({
    ...{ authority: issuer, client_id: clientId, scope: "openid email profile" },
    redirect_uri: `${stage.origin}/developer`,
    stateStore: new WebStorageStateStore({ store: session, prefix: "sign-in." }),
  });
  const { url } = await client.createSigninRequest({ state: { hash, isSilent: true }, prompt: "none" });
  const { headers } = await fetch(url, { redirect: "manual" });
  const { pathname, search } = new URL(headers.get("location") ?? "");
  const key = session.key(0);
  const opened = await openDeveloperArea(browser, stage, pathname + search, { [key]: session.getItem(key) ?? "" });
  await signIn(opened.page);
  return opened;
}

/** Signs in on an opened page, which does so by itself if the provider has a session. */
export async function signIn(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: "Sign in" });
  // An alert reports that the person may not use the page.
  const signedIn = page.getByRole("tablist").or(page.getByRole("alert"));
  await button.or(signedIn).first().waitFor();
  if (await button.isVisible()) await button.click();
  await signedIn.first().waitFor();
}

/** Signs in again in a second window and waits until that is done. */
export async function signInInSecondWindow(page: Page): Promise<void> {
  const [second] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("button", { name: "Sign in again" }).click(),
  ]);
  const message = second.getByText("You can close this window");
  await until(async () => second.isClosed() || (await message.isVisible().catch(() => false)));
}

/** The staged API handles requests for this path, but the page gets no response. */
export async function loseResponses(page: Page, path: string): Promise<void> {
  await page.route(`**/admin/${path}`, async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  });
}

/** Chooses an item in the menu of a webhook's page. */
export async function chooseMore(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("button", { name, exact: true }).click();
}

/** The secret that a dialog hides until it is asked to show it. */
export async function secretOn(dialog: Page | Locator): Promise<string> {
  const field = dialog.getByLabel("Secret key", { exact: true });
  const isHidden = (await field.inputValue()).includes("•");
  if (isHidden) await dialog.getByRole("button", { name: "Show: Secret key" }).click();
  return field.inputValue();
}

/** Everything that the browser keeps or shows about the page: storage, cookies, the document with its fields, addresses, timings. */
export async function traces({ page, context }: OpenedPage): Promise<string> {
  const kept = JSON.stringify(await context.storageState({ indexedDB: true }));
  const shown = await page.evaluate<string>(`JSON.stringify([
    document.documentElement.outerHTML,
    [...document.querySelectorAll("input, textarea")].map(({ value }) => value),
    { ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state, document.title, document.referrer,
    performance.getEntries().map(({ name }) => name),
  ])`);
  return kept + shown;
}

/** Every text in the page's memory after a garbage collection. */
export async function memory({ page, context }: OpenedPage): Promise<string> {
  const client = await context.newCDPSession(page);
  const chunks: string[] = [];
  client.on("HeapProfiler.addHeapSnapshotChunk", ({ chunk }) => chunks.push(chunk));
  await client.send("HeapProfiler.collectGarbage");
  await client.send("HeapProfiler.takeHeapSnapshot");
  await client.detach();
  return chunks.join("");
}

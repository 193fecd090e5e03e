/** Marks the requests whose answer comes to a second window, while the page that asked stays open. */
export const windowMark = "window";

/** Where a second window hands the provider's answer to the page that asked. Only pages of this origin hear it. */
export const answers = "developer-area-answers";

/** The provider's answer, if the browser has just come back with one: the URL with it. The address bar loses it at once. */
export function takeProviderAnswer(): URL | null {
  const url = new URL(location.href);
  const { searchParams } = url;
  if (!searchParams.has("state") || !(searchParams.has("code") || searchParams.has("error"))) return null;
  history.replaceState(null, "", url.pathname);
  return url;
}

/** Whether the answer belongs to a page in another window. */
export function isForAnotherWindow(answer: URL): boolean {
  return answer.searchParams.get("state")?.endsWith(`;${windowMark}`) ?? false;
}

/** Hands the answer over. This window keeps nothing: it had a copy of what the other one noted for its request. */
export function handOver(answer: URL): void {
  const channel = new BroadcastChannel(answers);
  channel.postMessage(answer.href);
  channel.close();
  sessionStorage.clear();
  window.close();
}

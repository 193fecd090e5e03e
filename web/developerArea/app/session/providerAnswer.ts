/** Marks sign-ins in a second window, while the page that requested them stays open. */
export const windowMark = "window";

/** The channel from a second window to the page that requested the sign-in. Only pages of this origin can receive it. */
export const answers = "developer-area-answers";

/** The URL with the provider's response, if the browser was redirected here with one. It is removed from the address bar. */
export function takeProviderAnswer(): URL | null {
  const url = new URL(location.href);
  const { searchParams } = url;
  if (!searchParams.has("state") || !(searchParams.has("code") || searchParams.has("error"))) return null;
  history.replaceState(null, "", url.pathname);
  return url;
}

export function isForAnotherWindow(answer: URL): boolean {
  return answer.searchParams.get("state")?.endsWith(`;${windowMark}`) ?? false;
}

/** Sends the response to the other window. Clears the session storage, which is a copy of the other window's. */
export function handOver(answer: URL): void {
  const channel = new BroadcastChannel(answers);
  channel.postMessage(answer.href);
  channel.close();
  sessionStorage.clear();
  window.close();
}

import { useEffect, useEffectEvent, useSyncExternalStore } from "react";

/** Names the page in the browser's tab and history, until the person is signed out. */
export function useTitle(title: string): void {
  useEffect(() => {
    const before = document.title;
    document.title = `${title} · ${before}`;
    return () => {
      document.title = before;
    };
  }, [title]);
}

/** Returns the focus to the link that opened the page of a key or webhook, once that page closes. */
export function useFocusOnReturn(href: string | null): void {
  useEffect(() => {
    if (href === null) return;
    return () => {
      if (document.activeElement !== document.body) return;
      const link = [...document.links].find(({ hash }) => hash === href);
      (link ?? document.getElementById("main"))?.focus();
    };
  }, [href]);
}

let openDialogs = 0;
// A reload keeps the state, but not the dialog.
if (isDialogEntry()) history.replaceState(null, "");

/** While a dialog is open, makes the browser's Back button close it (or do nothing) instead of changing the page beneath it. */
export function useBackButton(onBack = () => {}): void {
  const back = useEffectEvent(onBack);
  useEffect(() => {
    const onPopState = () => {
      enter();
      back();
    };
    openDialogs += 1;
    enter();
    window.addEventListener("popstate", onPopState);
    return () => {
      openDialogs -= 1;
      window.removeEventListener("popstate", onPopState);
      // Later, because another dialog may replace this one.
      queueMicrotask(() => openDialogs === 0 && isDialogEntry() && history.back());
    };
  }, []);
}

/** The Back button leaves this entry of the browser's history. */
function enter(): void {
  if (!isDialogEntry()) history.pushState({ isDialog: true }, "");
}

function isDialogEntry(): boolean {
  return history.state?.isDialog === true;
}

/** As a `ref`: focuses an element when it appears. A stable function, so that a re-render does not focus again. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}

const tickMs = 10_000;
let now = new Date();

/** The current time, updated every ten seconds, for relative times. */
export function useNow(): Date {
  return useSyncExternalStore(subscribe, () => now);
}

function subscribe(listener: () => void): () => void {
  const timer = setInterval(() => {
    if (Date.now() - now.getTime() >= tickMs) now = new Date();
    listener();
  }, tickMs);
  return () => clearInterval(timer);
}

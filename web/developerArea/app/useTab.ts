import { useSyncExternalStore } from "react";

const tabs = ["keys", "activity", "quick-start"];

/** The open tab. It is in the URL's hash, so that links and the browser's back button work. */
export function useTab(): [tab: string, open: (tab: string | null) => void] {
  const named = useSyncExternalStore(subscribe, () => location.hash.slice(1));
  const open = (tab: string | null) => {
    location.hash = tab ?? "";
  };
  return [tabs.includes(named) ? named : "keys", open];
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

import { useSyncExternalStore } from "react";

const tabs = ["keys", "activity", "quick-start"];
const ofKey = /^key\/(.+)$/;

export interface Route {
  tab: string;
  /** The key whose page is open, within the tab "keys". */
  keyId: string | null;
}

/** What is open. It is in the URL's hash, so that links and the browser's back button work. */
export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => location.hash.slice(1));
  const [, keyId = null] = ofKey.exec(hash) ?? [];
  return { tab: tabs.includes(hash) ? hash : "keys", keyId: keyId && decode(keyId) };
}

export function keyHref(id: string): string {
  return `#key/${encodeURIComponent(id)}`;
}

/** An address with a wrong escape names a key that does not exist. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

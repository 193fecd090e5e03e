import { useHash } from "@mantine/hooks";

const tabs = ["keys", "activity", "quick-start"];
const ofKey = /^key\/(.+)$/;

/**
 * What is open. It is in the URL's hash, so that links and the browser's back button work. `keyId` is the key whose page is open, within
 * the tab "keys".
 */
export function useRoute() {
  const hash = useHash({ getInitialValueInEffect: false })[0].slice(1);
  const [, keyId = null] = ofKey.exec(hash) ?? [];
  return { tab: tabs.includes(hash) ? hash : "keys", keyId: keyId && decode(keyId) };
}

export function keyHref(id: string): string {
  return `#key/${encodeURIComponent(id)}`;
}

/** A malformed escape cannot match a key. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

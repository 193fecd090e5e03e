import { useEffect } from "react";
import { keyHref } from "./useRoute.ts";

/** When a key's page closes and its focused element disappears, moves the focus to the link that opened the page. */
export function useFocusOnReturn(keyId: string | null): void {
  useEffect(() => {
    if (keyId === null) return;
    return () => {
      if (document.activeElement !== document.body) return;
      const link = [...document.links].find(({ hash }) => hash === keyHref(keyId));
      (link ?? document.getElementById("main"))?.focus();
    };
  }, [keyId]);
}

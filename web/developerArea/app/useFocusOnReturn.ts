import { useEffect } from "react";
import { keyHref } from "./useRoute.ts";

/** When a person leaves a key's page, and with it what had the focus, moves the focus to the link that opened it. */
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

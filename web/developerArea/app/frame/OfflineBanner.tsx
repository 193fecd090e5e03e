import { useOnline } from "../parts/useOnline.ts";

/** Reports a lost connection, above everything including dialogs. */
export function OfflineBanner() {
  const online = useOnline();
  return (
    <div role="status" className="offline-banner">
      {!online && "You are offline. What you see may be out of date; nothing that you entered is lost."}
    </div>
  );
}

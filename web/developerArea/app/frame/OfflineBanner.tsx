import { useOnline } from "../parts/useOnline.ts";

/** Says that the connection is gone, above everything else, dialogs too. */
export function OfflineBanner() {
  const online = useOnline();
  return (
    <div role="status" className="offline-banner">
      {!online && "You are offline. What you see may be out of date; nothing that you entered is lost."}
    </div>
  );
}

import { useNetwork } from "@mantine/hooks";

/** Reports a lost connection, above everything including dialogs. */
export function OfflineBanner() {
  const { online } = useNetwork();
  return (
    <div role="status" className="offline-banner">
      {!online && "You are offline. What you see may be out of date; nothing that you entered is lost."}
    </div>
  );
}

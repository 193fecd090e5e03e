import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { createContext, type MouseEvent, type ReactNode, use, useLayoutEffect, useState } from "react";
import { AdminContext } from "../session/admin.ts";
import { useBackButton } from "./hooks.ts";

interface DialogProps {
  title: string;
  /** The reason why only a button in the dialog closes it. */
  staysOpen?: string;
  children: ReactNode;
}

const nothing = () => {};
const CloseContext = createContext(nothing);

/** Closes the dialog around a component. Asks first if that loses something. */
export const useClose = () => use(CloseContext);

/** A dialog that is open while it is rendered. After the session, only one of its buttons closes it. */
export function Dialog({ title, staysOpen, children }: DialogProps) {
  const admin = use(AdminContext);
  const onClose = admin ? () => admin.done() : undefined;
  const [asking, setAsking] = useState(false);
  const [explained, setExplained] = useState<string | null>(null);
  const loss = admin?.loss ?? null;
  const reason = loss?.locked ? loss.text : (staysOpen ?? null);
  const isCovered = asking || admin?.covered;
  const close = reason !== null ? () => setExplained(reason) : loss && onClose ? () => setAsking(true) : onClose;
  useBackButton(isCovered ? undefined : close);
  return (
    <DialogFrame title={title} size="lg" isCovered={isCovered} hasCloseButton={reason === null} onClose={close}>
      {/* Always rendered, because screen readers announce only changes. */}
      <div role="status">
        {reason !== null && explained === reason && (
          <Alert color="yellow" mb="md">
            {reason}
          </Alert>
        )}
      </div>
      <CloseContext value={close ?? nothing}>{children}</CloseContext>
      {asking && loss && onClose && (
        <Question
          title="Close without finishing?"
          text={loss.text}
          back="Go back"
          on="Close"
          onGoBack={() => setAsking(false)}
          onGoOn={onClose}
        />
      )}
    </DialogFrame>
  );
}

interface DialogFrameProps {
  title: string;
  size?: string;
  /** For a dialog that may cover another one. */
  onTop?: boolean;
  /** True while another dialog covers this one. */
  isCovered?: boolean;
  hasCloseButton?: boolean;
  /** Without it, only a button in the dialog closes it. */
  onClose?: () => void;
  children: ReactNode;
}

/** Mantine's modal, set up for this page. On close it returns the focus. */
export function DialogFrame(props: DialogFrameProps) {
  const { title, size = "md", onTop, isCovered, hasCloseButton = true, onClose, children } = props;
  const closesLightly = onClose !== undefined && !isCovered;
  // A layout effect runs before the dialog takes the focus.
  useLayoutEffect(() => returnFocusFrom(document.activeElement), []);
  return (
    <Modal
      opened
      title={title}
      classNames={{ title: "dialog-title", content: "dialog" }}
      size={size}
      onClose={onClose ?? nothing}
      onClickCapture={ignoreSecondClick}
      withCloseButton={hasCloseButton && onClose !== undefined}
      closeOnEscape={closesLightly}
      closeOnClickOutside={closesLightly}
      // Otherwise screen readers would take the dialog's header for the page's.
      attributes={{ header: { role: "presentation" } }}
      closeButtonProps={{ "aria-label": "Close" }}
      zIndex={onTop ? 210 : 200}
      transitionProps={{ duration: 0 }}
      // Replaced by this page's own: Mantine's versions need a <style> element and a transition.
      lockScroll={false}
      returnFocus={false}
    >
      {children}
    </Modal>
  );
}

/** The second click of a double click may hit a button that appeared after the first. */
function ignoreSecondClick(event: MouseEvent): void {
  if (event.detail < 2) return;
  event.preventDefault();
  event.stopPropagation();
}

/** Returns the focus to the element that had it or, if that has been removed, to the page's content. */
function returnFocusFrom(opener: Element | null): () => void {
  return () => {
    // After the page has rendered without the dialog: the element may be removed by then.
    requestAnimationFrame(() => {
      if (opener instanceof HTMLElement && opener !== document.body) opener.focus();
      if (document.activeElement === document.body) document.getElementById("main")?.focus();
    });
  };
}

interface QuestionProps {
  title: string;
  text: string;
  /** Button labels. Escape also goes back. */
  back: string;
  on: string;
  onGoBack: () => void;
  onGoOn: () => void;
}

/** Asks, above everything else, whether to continue although something may be lost. */
export function Question({ title, text, back, on, onGoBack, onGoOn }: QuestionProps) {
  return (
    <DialogFrame onTop title={title} onClose={onGoBack}>
      <Stack>
        <Text role="status">{text}</Text>
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={onGoBack}>
            {back}
          </Button>
          <Button color="red" onClick={onGoOn}>
            {on}
          </Button>
        </Group>
      </Stack>
    </DialogFrame>
  );
}

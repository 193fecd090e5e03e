import { Button, Group, Stack } from "@mantine/core";
import { type FormErrors, type UseFormReturnType, useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { ApiError, isUncertain } from "../api/adminApi.ts";
import { type Loss, useLoss } from "../session/admin.ts";
import { useClose } from "./Dialog.tsx";
import { ErrorNotice } from "./Notices.tsx";

export interface Outcome {
  /** "the key was renamed" */
  done: string;
  /** "The key was not renamed" */
  failed: string;
}

interface WriteFormProps<Values extends object> {
  /** The members of the request have the API's names, so that its field errors find their fields. */
  initial: Values;
  /** The page's reasons not to send, by field. */
  validate?: (values: Values) => FormErrors;
  /** Sends the request. It may be called again with the same values after any failure. */
  onSend: Work<Values>;
  action: string | ((values: Values) => string);
  color?: string;
  /** True until the person has done something else first. */
  isLocked?: (values: Values) => boolean;
  outcome: Outcome;
  /** Advice for a request whose outcome is unknown. By default, it is reported as a failure. */
  advice?: ReactNode;
  /** Replaces the notice about a failure. */
  notice?: ((error: Error) => ReactNode) | undefined;
  /** The label of the button that repeats a request. */
  retry?: string | undefined;
  /** The reason not to close the form during the request, whose response contains a secret. */
  pending?: string;
  /** The loss if a changed form is closed. */
  unsaved?: string;
  /** Another loss if the form is closed. */
  loss?: Loss | null;
  /** The label of Cancel, which then has the focus at first. */
  keep?: string | undefined;
  children: ReactNode | ((form: UseFormReturnType<Values>) => ReactNode);
}

/** Sends one request at a time. It shows why a field was refused or that a request may have succeeded, and offers to repeat it. */
export function WriteForm<Values extends object>(props: WriteFormProps<Values>) {
  const {
    initial,
    validate,
    outcome,
    advice,
    notice,
    pending,
    unsaved,
    loss,
    keep,
    children,
    retry = "Try again",
  } = props;
  const form = useForm<Values>({ initialValues: initial, ...(validate && { validate }) });
  const { values } = form;
  const root = useRef<HTMLFormElement>(null);
  const [refusals, setRefusals] = useState(0);
  const refuse = () => setRefusals((count) => count + 1);
  // After the fields have their errors.
  useEffect(() => {
    if (refusals > 0) root.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [refusals]);

  const { busy, error, unanswered, send } = useSending<Values>((sent, known) =>
    props.onSend(sent, known).catch((failure) => {
      form.setErrors(fieldErrors(failure, initial));
      refuse();
      throw failure;
    }),
  );
  const changed = unsaved !== undefined && form.isDirty() ? { locked: false, text: unsaved } : null;
  useLoss(busy && pending !== undefined ? { locked: true, text: pending } : (loss ?? changed));
  const close = useClose();
  const isLocked = props.isLocked?.(values) ?? false;
  const isRetry = unanswered !== null && isSame(unanswered, values);
  const action = typeof props.action === "string" ? props.action : props.action(values);
  const submit = form.onSubmit((sent) => (isLocked ? undefined : void send(sent)), refuse);
  return (
    <form ref={root} onSubmit={submit} noValidate aria-busy={busy}>
      <Stack>
        {typeof children === "function" ? children(form) : children}
        {error && Object.keys(fieldErrors(error, initial)).length === 0 && (
          <Failure {...{ error, isUnknown: unanswered !== null, outcome, advice, notice }} />
        )}
        <Group justify="flex-end">
          <Button variant="default" disabled={busy} data-autofocus={keep !== undefined || undefined} onClick={close}>
            {keep === undefined ? "Cancel" : unanswered ? "Close" : keep}
          </Button>
          <Button type="submit" color={props.color} maw="100%" loading={busy} disabled={isLocked}>
            {isRetry ? retry : action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function fieldErrors(error: unknown, fields: object): FormErrors {
  if (!(error instanceof ApiError)) return {};
  const found = error.invalid.map(({ pointer, detail }) => [pointer?.split("/")[1] ?? "", detail] as const);
  return Object.fromEntries(found.filter(([field]) => field in fields));
}

interface FailureProps {
  error: Error;
  outcome: Outcome;
  isUnknown: boolean;
  advice?: ReactNode;
  notice?: ((error: Error) => ReactNode) | undefined;
}

export function Failure({ error, outcome, isUnknown, advice, notice }: FailureProps) {
  if (notice) return notice(error);
  if (isUnknown && advice) {
    return <ErrorNotice title={`It is not known whether ${outcome.done}`} error={error} advice={advice} />;
  }
  return <ErrorNotice title={outcome.failed} error={error} />;
}

/** @param known must be called once the outcome of earlier requests is known. */
type Work<Input> = (input: Input, known: () => void) => Promise<void>;

/** `busy` disables the buttons; React renders it before a double click's second click. After a failure, everything on the page is refreshed. */
export function useSending<Input>(work: Work<Input>) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  /** The input of a request that may have succeeded, because no response arrived. */
  const [unanswered, setUnanswered] = useState<Input | null>(null);
  const send = async (input: Input) => {
    setBusy(true);
    setError(null);
    try {
      await work(input, () => setUnanswered(null));
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)));
      void client.invalidateQueries();
      if (isUncertain(failure)) setUnanswered(input);
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, unanswered, send };
}

/** Makes an `Idempotency-Key` for a request, which stays the same until the request changes. */
export function useIdempotencyKey() {
  const attempt = useRef({ request: "", id: "" });
  return (request: unknown): string => {
    const text = JSON.stringify(request);
    if (attempt.current.request !== text) attempt.current = { request: text, id: crypto.randomUUID() };
    return attempt.current.id;
  };
}

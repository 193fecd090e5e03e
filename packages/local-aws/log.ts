interface Log {
  warn(message: string, details: Record<string, unknown>): void;
  error(message: string, details: Record<string, unknown>): void;
}

let current: Log = console;

/** Replaces the console. */
export function logTo(log: Log): void {
  current = log;
}

export const log: Log = {
  warn: (message, details) => current.warn(message, details),
  error: (message, details) => current.error(message, details),
};

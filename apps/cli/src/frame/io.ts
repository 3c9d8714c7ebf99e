/** The outer world as a command sees it, so that a test can hold one in its hand. */
export interface CommandIo {
  /** Writes to standard output as it is; a line ends where the text says so. */
  out(text: string): void;
  /** Writes to standard error. */
  err(text: string): void;
  /** Whether standard output is a terminal, and how many columns it has (80 where it is not). */
  readonly terminal: boolean;
  readonly columns: number;
  /** Epoch milliseconds. */
  now(): number;
  /** Aborted by SIGINT or SIGTERM: a command that stays up winds down on it. */
  readonly stop: AbortSignal;
}

/** One JSON document on standard output, as `--json` promises. */
export function printJson(io: CommandIo, value: unknown): void {
  io.out(`${JSON.stringify(value, null, 2)}\n`);
}

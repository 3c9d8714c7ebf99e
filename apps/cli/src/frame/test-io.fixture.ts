import type { CommandIo } from "./io.ts";

export interface TestIo extends CommandIo {
  /** All that was written so far. */
  readonly written: { out: string; err: string };
  /** Asks the command to end, as SIGINT does. */
  end(): void;
}

/** The outer world of a command in a test: no terminal, a clock that stands. */
export function createTestIo(): TestIo {
  const written = { out: "", err: "" };
  const stop = new AbortController();
  return {
    written,
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
    terminal: false,
    columns: 80,
    now: () => Date.UTC(2026, 0, 1),
    stop: stop.signal,
    end: () => stop.abort(),
  };
}

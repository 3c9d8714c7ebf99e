import { constants } from "node:os";
import type { CommandIo } from "./io.ts";
import { visibleText } from "./visible-text.ts";

/** `npm` and shells hand on a Ctrl+C that the terminal has sent to the whole group already: what follows so soon is the same wish. */
const SAME_WISH_MS = 500;

/** The real process. The first SIGINT or SIGTERM asks for an orderly end; another one of either ends at once. */
export function processIo(): CommandIo {
  const stop = new AbortController();
  let askedAt = 0;
  const end = (signal: NodeJS.Signals): void => {
    if (!stop.signal.aborted) {
      askedAt = performance.now();
      stop.abort();
    } else if (performance.now() - askedAt > SAME_WISH_MS) {
      process.stderr.write("trainwatch: ended at once, by a second signal.\n");
      process.exit(128 + constants.signals[signal]);
    }
  };
  process.on("SIGINT", end);
  process.on("SIGTERM", end);
  // A reader that has gone (`trainwatch inspect … | head`) is no fault of the command.
  process.stdout.on("error", ignoreClosedPipe);
  return {
    out: (text) => void process.stdout.write(process.stdout.isTTY ? visibleText(text) : text),
    err: (text) => void process.stderr.write(process.stderr.isTTY ? visibleText(text) : text),
    terminal: process.stdout.isTTY === true,
    columns: process.stdout.columns ?? 80,
    now: () => Date.now(),
    stop: stop.signal,
  };
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

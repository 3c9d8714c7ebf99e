import type { CommandIo } from "./io.ts";

/** The real process. The first SIGINT or SIGTERM asks for an orderly end; a second one is left to Node and ends at once. */
export function processIo(): CommandIo {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  process.once("SIGINT", end);
  process.once("SIGTERM", end);
  // A reader that has gone (`trainwatch inspect … | head`) is no fault of the command.
  process.stdout.on("error", ignoreClosedPipe);
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    terminal: process.stdout.isTTY === true,
    columns: process.stdout.columns ?? 80,
    now: () => Date.now(),
    stop: stop.signal,
  };
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

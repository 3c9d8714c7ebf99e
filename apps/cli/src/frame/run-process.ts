import type { CommandEntry } from "./command.ts";
import type { CommandIo } from "./io.ts";
import { runCli } from "./run-cli.ts";

/** What hangs on after a command that was told to stop has ended: a socket to a database that does not answer, say. */
const LEFT_OVER_MS = 1_000;

/** Runs one command line as the process itself: its exit code is the process's, and once the command is done, so is the process. */
export async function runProcess(argv: readonly string[], entries: readonly CommandEntry[], io: CommandIo): Promise<void> {
  const code = await runCli(argv, entries, io);
  process.exitCode = code;
  if (io.stop.aborted) setTimeout(() => process.exit(code), LEFT_OVER_MS).unref();
}

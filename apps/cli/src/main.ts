import { COMMANDS } from "./commands/registry.ts";
import type { ExitCode } from "./frame/command.ts";
import { loadCommands } from "./frame/load-commands.ts";
import { processIo } from "./frame/process-io.ts";
import { runCli } from "./frame/run-cli.ts";

/** Runs one command line as the process itself and answers the exit code. */
export async function main(argv: readonly string[]): Promise<ExitCode> {
  return runCli(argv, await loadCommands(argv, COMMANDS), processIo());
}

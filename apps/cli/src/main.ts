import { COMMANDS } from "./commands/registry.ts";
import { loadCommands } from "./frame/load-commands.ts";
import { processIo } from "./frame/process-io.ts";
import { runProcess } from "./frame/run-process.ts";

/** Runs one command line as the process itself. */
export async function main(argv: readonly string[]): Promise<void> {
  await runProcess(argv, await loadCommands(argv, COMMANDS), processIo());
}

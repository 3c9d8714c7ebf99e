import { isAppError } from "@trainwatch/core";
import { Command, CommanderError } from "commander";
import type { CommandEntry, ExitCode } from "./command.ts";
import { describeCommand } from "./define-command.ts";
import type { CommandIo } from "./io.ts";

/** Runs one command line and answers its exit code. Never throws, never ends the process, never prints a stack. */
export async function runCli(argv: readonly string[], entries: readonly CommandEntry[], io: CommandIo): Promise<ExitCode> {
  let code: ExitCode = 0;
  const program = createProgram(entries, io, (answer) => {
    code = answer;
  });
  try {
    await program.parseAsync([...argv], { from: "user" });
    return code;
  } catch (error) {
    return explain(error, io, argv.includes("--json"));
  }
}

function createProgram(entries: readonly CommandEntry[], io: CommandIo, finish: (code: ExitCode) => void): Command {
  const program = new Command("trainwatch")
    .description("Watches large distributed training runs: what broke, since which step, and what to do.")
    .configureOutput({ writeOut: (text) => io.out(text), writeErr: (text) => io.err(text) })
    .exitOverride()
    .helpCommand(false);
  for (const entry of entries) {
    const command = describeCommand(program.command(entry.name), entry);
    entry.attach(command, io, finish);
  }
  return program;
}

function explain(error: unknown, io: CommandIo, json: boolean): ExitCode {
  // Commander has already printed the help or the fault; only its kind is left to be told.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const code = isAppError(error) ? error.code : "internal";
  const message = error instanceof Error ? error.message : String(error);
  if (json) io.out(`${JSON.stringify({ error: { code, message } })}\n`);
  io.err(`trainwatch: ${message}\n`);
  return 2;
}

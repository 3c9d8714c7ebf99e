import type { Command } from "commander";
import type { z } from "zod";
import type { CommandIo } from "./io.ts";

/** 0 done; 1 done and something needs attention (only with `--fail-on`); 2 bad usage or unreadable input. */
export type ExitCode = 0 | 1 | 2;

/** One command of `trainwatch`: one file in `commands/`, one line in `commands/registry.ts`. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Whole command lines without the `$`, shown by `--help`; at least one. */
  readonly examples: readonly string[];
  /** Adds arguments, options and sub-commands. `--json` is added by the frame. */
  attach(command: Command, io: CommandIo, finish: (code: ExitCode) => void): void;
}

/**
 * A command by name. What it needs is loaded when it is asked for: the server with its database client takes a second and 50 MB that
 * reading a log offline has no use for.
 */
export interface CommandListing {
  readonly name: string;
  /** As `trainwatch --help` shows it; the entry says the same. */
  readonly summary: string;
  load(): Promise<CommandEntry>;
}

export interface CommandDefinition<Options extends z.ZodType> {
  readonly name: string;
  readonly summary: string;
  readonly examples: readonly string[];
  /** Declares arguments and options; values are checked by `options`, not here. */
  configure(command: Command): void;
  /** What the options must be. Faults are listed together and end with exit code 2. */
  readonly options: Options;
  /**
   * Does the work. Expected failures are thrown as `AppError` and become a sentence and exit code 2.
   * @param args positional arguments, variadic ones flattened
   */
  run(io: CommandIo, options: z.output<Options>, args: readonly string[]): Promise<ExitCode>;
}

import type { CommandEntry } from "../frame/command.ts";

/** Every command, in the order in which `trainwatch --help` lists them. */
export const COMMANDS = [] as const satisfies readonly CommandEntry[];

export { COMMANDS } from "./commands/registry.ts";
export { runCli } from "./frame/run-cli.ts";
export type { CommandEntry, ExitCode } from "./frame/command.ts";
export type { CommandIo } from "./frame/io.ts";

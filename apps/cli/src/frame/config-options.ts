import type { Command } from "commander";
import { z } from "zod";

/** Options by which a command finds its configuration; `readConfig` of the server checks them together with file and environment. */
const OPTIONS = {
  config: ["--config <path>", "configuration file (default: trainwatch.yaml, where there is one)"],
  dataDir: ["--data-dir <path>", "where the embedded database lives"],
  databaseUrl: ["--database-url <url>", "PostgreSQL to use instead of the embedded one"],
  host: ["--host <host>", "address to listen on (default: 127.0.0.1, this machine only)"],
  port: ["--port <number>", "port to listen on; 0 takes a free one (default: 4400)"],
  url: ["--url <url>", "address at which the server is reached"],
  token: ["--token <token>", "token to show the server"],
} as const;

export type ConfigOption = keyof typeof OPTIONS;

export function addConfigOptions(command: Command, names: readonly ConfigOption[]): void {
  for (const name of names) {
    const [flags, description] = OPTIONS[name];
    command.option(flags, description);
  }
}

/** For the command's own schema: what was given goes on to `readConfig` as it is. */
export const configOptionsSchema = z.object({
  config: z.string().optional(),
  dataDir: z.string().optional(),
  databaseUrl: z.string().optional(),
  host: z.string().optional(),
  port: z.string().optional(),
  url: z.string().optional(),
  token: z.string().optional(),
  json: z.boolean(),
});

import { ROLES, readConfig, start } from "@trainwatch/server";
import { z } from "zod";
import { addConfigOptions, configOptionsSchema } from "../frame/config-options.ts";
import { defineCommand } from "../frame/define-command.ts";
import { printJson } from "../frame/io.ts";
import { announceServer, keepRunning } from "../server-words.ts";

export const serve = defineCommand({
  name: "serve",
  summary: "Runs server, detectors and dashboard in one process; embedded PostgreSQL unless DATABASE_URL is set.",
  examples: [
    "trainwatch serve",
    "trainwatch serve --data-dir ./data --port 4400",
    "TRAINWATCH_ADMIN_TOKEN=… trainwatch serve --host 0.0.0.0",
  ],
  configure(command) {
    addConfigOptions(command, ["config", "dataDir", "databaseUrl", "host", "port", "url"]);
    command.option("--roles <list>", `what this process does, by commas: ${ROLES.join(", ")} (default: all)`);
  },
  options: configOptionsSchema.extend({ roles: z.string().optional() }),
  async run(io, { json, roles, ...flags }) {
    const config = readConfig({ ...flags, roles: roles?.split(",").map((role) => role.trim()) });
    const server = await start(config);
    if (json) printJson(io, { url: server.url, adminToken: server.adminToken, roles: config.roles });
    else io.out(announceServer(server, config));
    return keepRunning(server, io, { json });
  },
});

import { z } from "zod";
import { checkSources } from "../agent/check-sources.ts";
import type { CheckedSource } from "../agent/check-sources.ts";
import { systemClock } from "../agent/clock.ts";
import { hostOf } from "../agent/http/request.ts";
import { lockData } from "../agent/own/data-lock.ts";
import { readAgentConfig } from "../agent/config/read-config.ts";
import { TrainwatchAgent } from "../agent/agent.ts";
import { readEnvironment } from "../config.ts";
import { defineCommand } from "../frame/define-command.ts";
import { printJson } from "../frame/io.ts";
import { textTable } from "../frame/text-table.ts";

export const agent = defineCommand({
  name: "agent",
  summary: "Runs on each node: reads exporters, kernel log, training log and checkpoints, and brings them to a server.",
  examples: [
    "trainwatch agent --config /etc/trainwatch/agent.yaml",
    "trainwatch agent --config agent.yaml --check",
    "trainwatch agent --config agent.yaml --once",
  ],
  configure(command) {
    command
      .requiredOption("--config <path>", "the agent's YAML file (docs/agent.md)")
      .option("--check", "checks the file and reads each source once; sends nothing", false)
      .option("--once", "reads each source once, sends, and ends", false);
  },
  options: z
    .object({ config: z.string(), check: z.boolean(), once: z.boolean(), json: z.boolean() })
    .refine(({ check, once }) => !(check && once), { path: ["once"], message: "cannot go with --check" }),
  async run(io, { config: path, check, once, json }) {
    const config = readAgentConfig(path, readEnvironment());
    const say = (line: string): void => io.err(`trainwatch agent: ${line}\n`);
    const world = { clock: systemClock, random: () => Math.random(), say };
    if (check) {
      const checked = await checkSources(config, systemClock, io.stop);
      if (json) printJson(io, { server: config.server.url, sources: checked });
      else io.out(checkTable(checked));
      return checked.every(({ fault }) => fault === null) ? 0 : 2;
    }
    const unlock = await lockData(config.dataDir);
    const running = await TrainwatchAgent.open(config, world);
    try {
      if (!once) {
        say(`reads ${config.sources.map(({ name }) => name).join(", ")} for ${hostOf(config.server.url)}`);
        await running.run(io.stop);
        return 0;
      }
      const failed = await running.once(io.stop);
      if (json) printJson(io, { failed, waiting: running.waiting });
      else for (const line of failed) io.err(`trainwatch agent: ${line}\n`);
      return failed.length === 0 ? 0 : 2;
    } finally {
      await running.close();
      await unlock();
    }
  },
});

function checkTable(checked: readonly CheckedSource[]): string {
  const rows = checked.map(({ name, kind, fault, readings, events, pushes }) => [
    name,
    kind,
    fault === null ? "ok" : "FAILS",
    String(readings),
    String(events),
    String(pushes),
    fault ?? "",
  ]);
  return textTable(["source", "kind", "state", "readings", "events", "pushes", ""], rows);
}

import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AppError } from "@trainwatch/core";
import { readConfig, start, type RunningServer } from "@trainwatch/server";
import { demoRelease, demoScenario } from "@trainwatch/simulate";
import { z } from "zod";
import { connect } from "../connection/connect.ts";
import { isPortFree } from "../demo/free-port.ts";
import { feedHistory, feedLive, feedPast, type Feed } from "../demo/feed.ts";
import { feedFleet } from "../demo/feed-fleet.ts";
import { feedRelease } from "../demo/feed-release.ts";
import { openBrowser } from "../demo/open-browser.ts";
import { addConfigOptions, configOptionsSchema } from "../frame/config-options.ts";
import { defineCommand } from "../frame/define-command.ts";
import { printJson } from "../frame/io.ts";
import { announceServer, keepRunning } from "../server-words.ts";

const PORT = 4400;
/** Whatever seed, the same demonstration each time: what the page shows can be talked about. */
const SEED = 20_260_105;

export const demo = defineCommand({
  name: "demo",
  summary: "Serves a throw-away database with finished simulated runs, one that runs live on 16 nodes, and a spike within seconds.",
  examples: ["trainwatch demo", "trainwatch demo --port 0 --no-open"],
  configure(command) {
    addConfigOptions(command, ["port"]);
    command.option("--no-open", "do not open the page in a browser");
    command.option("--seed <number>", "another demonstration", String(SEED));
  },
  options: configOptionsSchema.extend({
    open: z.boolean(),
    seed: z.coerce.number<string>("must be a number").int("must be a whole number").nonnegative("must not be negative"),
  }),
  async run(io, { json, open, port, seed }) {
    const dataDir = await mkdtemp(join(tmpdir(), "trainwatch-demo-"));
    const config = readConfig({ dataDir, port: port ?? ((await isPortFree(PORT)) ? PORT : 0), host: "127.0.0.1", logLevel: "warn" }, {});
    const server = await start(config, { demo: true });
    const url = server.url ?? "";
    const feeding = startFeeding(server, url, seed, { now: io.now, stop: io.stop, say: (line) => io.err(`trainwatch: ${line}\n`) });
    feeding.catch((error: unknown) => {
      if (!io.stop.aborted)
        io.err(`trainwatch: the demonstration has stopped sending: ${error instanceof Error ? error.message : String(error)}\n`);
    });
    if (json) printJson(io, { url, adminToken: server.adminToken });
    else io.out(announceServer(server, config));
    if (open && io.terminal) openBrowser(url);
    return keepRunning(server, io, { json, wrapUp: () => feeding.catch(() => undefined) });
  },
});

/** Sends over HTTP with a token of its own, as any trainer would. The live run goes first: its spike is what people wait for. */
async function startFeeding(
  server: RunningServer,
  url: string,
  seed: number,
  { now, stop, say }: Pick<Feed, "now" | "stop"> & { readonly say: (line: string) => void },
): Promise<void> {
  if (server.adminToken === null) throw new AppError("internal", "A fresh database came without a first token.");
  const admin = connect({ url, token: server.adminToken });
  const { secret } = await admin.tokens.create.mutate({ name: "demo trainer", scopes: ["ingest"] });
  const trainer = connect({ url, token: secret });
  const feed: Feed = { push: (push) => trainer.ingest.push.mutate(push), now, stop };
  const scenario = demoScenario(seed, now());
  const live = feedLive(scenario.live, feed);
  await live.backlog;
  const release = demoRelease(seed, now());
  const history = [
    ...scenario.history.map((run) => feedHistory(run, feed)),
    feedPast(scenario.past, feed),
    feedRelease(release, { ...feed, trainer, admin }),
  ];
  const fleet = feedFleet(scenario.live.simulated.fleet, { ...feed, connection: { url, token: secret }, say });
  await Promise.all([live.ended, fleet, ...history]);
}

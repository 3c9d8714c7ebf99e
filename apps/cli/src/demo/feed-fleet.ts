import { setInterval } from "node:timers/promises";
import { DEMO_FLEET_PAST_MS, type SimulatedFleet } from "@trainwatch/simulate";
import { HttpClient } from "../agent/http/request.ts";
import { createServer } from "../agent/ship/server.ts";
import type { Connection } from "../connection/connect.ts";
import { serveExporters } from "../simulate/exporter-server.ts";
import type { Feed } from "./feed.ts";
import { fleetHistory } from "./fleet-history.ts";
import { FleetSender } from "./fleet-sender.ts";
import { NodeFeed } from "./node-feed.ts";

/** Each node is scraped every 10 s, a quarter of them at a time. */
const TURN_MS = 2_500;
const TURNS = 4;

export interface FleetFeed extends Feed {
  readonly connection: Connection;
  readonly say: (line: string) => void;
}

/** Sends the last hour of a fleet, then scrapes its exporters until the feed is stopped. */
export async function feedFleet(fleet: SimulatedFleet, { connection, now, stop, say }: FleetFeed): Promise<void> {
  const http = new HttpClient();
  const exporters = await serveExporters(fleet, { port: 0, now });
  try {
    const port = new URL(exporters.url).port;
    const sender = new FleetSender(createServer(connection.url, connection.token, http, now), "demo fleet", stop);
    const startMs = now();
    const feeds = fleet.nodes.map(
      (node) => new NodeFeed(node, startMs - DEMO_FLEET_PAST_MS, { exportersUrl: exporters.url, http, sender, say }),
    );
    for (const portion of fleetHistory(fleet, {
      fromMs: startMs - DEMO_FLEET_PAST_MS,
      toMs: startMs,
      instanceOf: ({ host }) => `${host}:${port}`,
    })) {
      if (stop.aborted) return;
      await sender.readings(portion);
    }
    for (const feed of feeds) await feed.tellLog(now());
    await follow(feeds, sender, { now, stop });
  } finally {
    http.close();
    await exporters.close();
  }
}

async function follow(feeds: readonly NodeFeed[], sender: FleetSender, { now, stop }: Pick<Feed, "now" | "stop">): Promise<void> {
  let turn = 0;
  try {
    for await (const _ of setInterval(TURN_MS, undefined, { signal: stop })) {
      const own = feeds.filter((__, index) => index % TURNS === turn);
      turn = (turn + 1) % TURNS;
      await sender.readings((await Promise.all(own.map((feed) => feed.scrape(stop)))).flat());
      for (const feed of own) await feed.tellLog(now());
    }
  } catch (error) {
    if (!stop.aborted) throw error;
  }
}

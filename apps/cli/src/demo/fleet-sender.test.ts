import { decodeFrame, type FrameHeader } from "@trainwatch/core";
import { simulateFleet } from "@trainwatch/simulate";
import { describe, expect, it } from "vitest";
import type { Delivery, Server } from "../agent/ship/server.ts";
import { fleetHistory } from "./fleet-history.ts";
import { FleetSender } from "./fleet-sender.ts";

const START = Date.UTC(2026, 10, 29, 20);

/** A server that knows what it has been told the series of, and forgets when asked to. */
function frameServer(): Server & {
  readonly headers: FrameHeader[];
  readonly rows: { readonly timeMs: number; readonly values: number }[];
  forget(): void;
  later: number;
} {
  const sizes = new Map<string, number>();
  const server = {
    headers: new Array<FrameHeader>(),
    rows: new Array<{ readonly timeMs: number; readonly values: number }>(),
    later: 0,
    forget: () => sizes.clear(),
    call(_verb: string, body: Uint8Array): Promise<Delivery> {
      if (server.later-- > 0) return Promise.resolve({ kind: "later", why: "busy", retryAfterMs: 0 });
      const { header, rows, unknown } = decodeFrame(body, ({ digest, series }) => {
        if (series !== undefined) sizes.set(digest, series.length);
        return sizes.get(digest) ?? null;
      });
      server.headers.push(header);
      for (const { timeMs, values } of rows) server.rows.push({ timeMs, values: values.length / 8 });
      return Promise.resolve({ kind: "taken", answer: { unknown } });
    },
  };
  return server;
}

describe("what the demonstration sends of its fleet", () => {
  const fleet = simulateFleet({ nodes: 2, seed: 3, startMs: START });
  const portions = [...fleetHistory(fleet, { fromMs: START, toMs: START + 10 * 60_000, instanceOf: ({ host }) => `${host}:9999` })];

  it("is every exporter of every node at every time, under the labels that an agent gives", async () => {
    const server = frameServer();
    const sender = new FleetSender(server, "demo", new AbortController().signal);
    for (const portion of portions) await sender.readings(portion);
    expect(server.rows).toHaveLength(2 * 2 * 20);
    const widths = ["dcgm", "node"] as const;
    const expected = widths.map((exporter) => fleet.nodes[0]?.scrape(exporter, START)?.values.length ?? 0);
    expect(server.rows.slice(0, 2).map(({ values }) => values)).toEqual(expected);
    const dictionaries = server.headers[0]?.dictionaries ?? [];
    expect(dictionaries.map(({ shared }) => shared)).toContainEqual({
      job: "dcgm",
      instance: "a01-n02:9999",
      nodename: "a01-n02",
      machine_id: fleet.nodes[1]?.machineId,
      rack: "A01",
    });
    // node_exporter's own label of that name must not be lost under the agent's.
    const uname = dictionaries[1]?.series?.find(([name]) => name === "node_uname_info");
    expect(uname?.[1]).toMatchObject({ exported_nodename: "a01-n01" });
  });

  it("names the series once, and again where the server has forgotten them", async () => {
    const server = frameServer();
    const sender = new FleetSender(server, "demo", new AbortController().signal);
    const [first = [], second = [], third = []] = portions;
    await sender.readings(first);
    await sender.readings(second);
    const isNamed = (at: number): boolean => server.headers[at]?.dictionaries.every(({ series }) => series !== undefined) ?? false;
    expect([isNamed(0), isNamed(1)]).toEqual([true, false]);
    server.forget();
    const before = server.rows.length;
    await sender.readings(third);
    expect([isNamed(2), isNamed(3)]).toEqual([false, true]);
    expect(server.rows.length - before).toBe(third.length);
  });

  it("is sent again where the server was busy, and given up when the demonstration ends", async () => {
    const server = frameServer();
    server.later = 1;
    await new FleetSender(server, "demo", new AbortController().signal).readings(portions[0] ?? []);
    expect(server.rows.length).toBe(portions[0]?.length);
    server.later = Number.POSITIVE_INFINITY;
    await new FleetSender(server, "demo", AbortSignal.abort()).readings(portions[1] ?? []);
    expect(server.rows.length).toBe(portions[0]?.length);
  });
});

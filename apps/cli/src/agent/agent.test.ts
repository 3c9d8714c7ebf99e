import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FleetEvent } from "@trainwatch/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { TrainwatchAgent } from "./agent.ts";
import type { AgentWorld } from "./agent.ts";
import { createHeldClock } from "./clock.fixture.ts";
import type { HeldClock } from "./clock.fixture.ts";
import type { AgentConfig } from "./config/read-config.ts";
import type { SourceWorld } from "./source.ts";
import { SeriesTable } from "./sources/series-table.ts";
import { RUNNING } from "./source-world.fixture.ts";
import { openSegmentWriter } from "./spool/segment-files.ts";
import { createTestServer } from "./test-server.fixture.ts";
import type { TestServer } from "./test-server.fixture.ts";

const MIB = 1024 * 1024;

interface Bench {
  readonly server: TestServer;
  readonly clock: HeldClock;
  readonly said: string[];
  /** Reads once: one reading `x` of the value, and one event where it is odd. */
  emit(value: number): Promise<void>;
  readonly agent: TrainwatchAgent;
  /** As after kill -9: nothing is closed in order. */
  restart(): Promise<void>;
  drain(): Promise<readonly string[]>;
  readonly dir: string;
}

async function bench(spool: Partial<AgentConfig["spool"]> = {}, world: Partial<AgentWorld> = {}): Promise<Bench> {
  const dir = await mkdtemp(join(tmpdir(), "trainwatch-agent-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const server = await createTestServer();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const clock = createHeldClock();
  const said: string[] = [];
  let value = 0;
  const source = (own: SourceWorld) => {
    const table = new SeriesTable({ job: "test" });
    return {
      collect: () => {
        if (value < 0) return Promise.reject(new Error("the exporter is away"));
        const readings = [table.read([{ name: "x", labels: {}, value, timeMs: null }], own.clock.now())];
        return own.take({ readings, events: value % 2 === 1 ? [anEvent(own.clock.now(), `event ${value}`)] : [], state: value });
      },
      close: () => Promise.resolve(),
    };
  };
  const config: AgentConfig = {
    server: { url: server.url, token: "secret" },
    dataDir: dir,
    node: { host: "n1", machineIdFile: join(dir, "none") },
    spool: { maxSize: 8 * MIB, maxEventSize: 8 * MIB, whenFull: "drop-oldest", ...spool },
    sources: [{ kind: "test", name: "test", everyMs: 1_000, open: source }],
  };
  const open = (): Promise<TrainwatchAgent> =>
    TrainwatchAgent.open(config, { clock, random: () => 0, say: (line) => void said.push(line), ...world });
  let agent = await open();
  const opened = [agent];
  onTestFinished(async () => {
    for (const each of opened) await each.close();
  });
  return {
    server,
    clock,
    said,
    dir,
    get agent() {
      return agent;
    },
    async emit(next) {
      value = next;
      clock.advance(1_000);
      await agent.collectAll(RUNNING);
    },
    async restart() {
      agent = await open();
      opened.push(agent);
    },
    drain: async () => (await agent.once(RUNNING)).filter((line) => !line.includes("exporter is away")),
  };
}

function anEvent(timeMs: number, text: string): FleetEvent {
  return { timeMs, kind: "kernel", code: null, subCode: null, severity: "info", entity: null, text, count: 1, lastTimeMs: null };
}

/** Values of `x` in the order in which they came. */
const xs = ({ server }: Bench): readonly number[] =>
  server.readings.filter((reading) => reading.startsWith("x ")).map((reading) => Number(reading.split(" ")[2]));
const eventTexts = ({ server }: Bench): readonly string[] => server.events.flatMap(({ events }) => events.map(({ text }) => text));

describe("TrainwatchAgent", () => {
  it("brings readings in order, joined, and each event under a number of its own, with the token", async () => {
    const b = await bench();
    for (const value of [1, 2, 3]) await b.emit(value);
    expect(await b.drain()).toEqual([]);
    // `drain` reads once more by itself.
    expect(xs(b)).toEqual([1, 2, 3, 3]);
    expect(b.server.requests.filter(({ verb }) => verb === "ingest.frame")).toHaveLength(1);
    expect(eventTexts(b)).toEqual(["event 1", "event 3", "event 3"]);
    expect(new Set(b.server.events.map(({ source, seq }) => `${source} ${seq}`)).size).toBe(3);
    expect(b.server.events[0]?.node).toMatchObject({ host: "n1", machineId: null });
    expect(b.server.requests.every(({ authorization }) => authorization === "Bearer secret")).toBe(true);
  });

  it("keeps everything while the server is away and after kill -9, sends it once it is back, and sends nothing acknowledged again", async () => {
    const b = await bench();
    b.server.refuse = () => ({ status: 503 });
    for (const value of [2, 4, 5]) await b.emit(value);
    expect(await b.drain()).toHaveLength(2);
    await b.restart();
    await b.emit(6);
    expect(xs(b)).toEqual([]);
    await b.drain();
    b.clock.advance(100_000);
    b.server.refuse = () => null;
    expect(await b.drain()).toEqual([]);
    const lags = b.server.readings.flatMap((reading) => /^trainwatch_agent_lag_seconds \d+ (\S+)$/.exec(reading)?.[1] ?? []);
    expect(lags.at(-1)).toBe("103");
    expect(xs(b)).toEqual([2, 4, 5, 5, 6, 6, 6]);
    expect(eventTexts(b)).toEqual(["event 5", "event 5"]);
    await b.restart();
    await b.emit(8);
    await b.drain();
    expect(xs(b)).toEqual([2, 4, 5, 5, 6, 6, 6, 8, 8]);
    expect(b.agent.waiting).toBe(0);
  });

  it("sends what was not acknowledged under the same number again", async () => {
    const b = await bench();
    let taken = 0;
    // Taken, but the answer never comes.
    b.server.refuse = (verb, body) => {
      if (verb === "ingest.events" && taken++ === 0) b.server.events.push(JSON.parse(body.toString()));
      return taken === 1 && verb === "ingest.events" ? { status: 502 } : null;
    };
    await b.emit(1);
    await b.drain();
    await b.restart();
    await b.emit(2);
    await b.drain();
    const [first, again] = b.server.events;
    expect(again).toEqual(first);
  });

  it("sends the series again that the server has forgotten", async () => {
    const b = await bench();
    await b.emit(2);
    await b.drain();
    b.server.forget();
    await b.emit(4);
    expect(await b.drain()).toEqual([]);
    expect(xs(b)).toEqual([2, 2, 4, 4]);
  });

  it("puts aside what the server will never take, with its reason, and the rest gets through", async () => {
    const b = await bench();
    const bad = Buffer.from(new Float64Array([66]).buffer);
    b.server.refuse = (verb, body) => {
      if (verb === "ingest.frame" && body.includes(bad)) return { status: 400, message: "sixty-six is no number" };
      return verb === "ingest.events" && body.includes("event 3") ? { status: 409, message: "another content" } : null;
    };
    for (const value of [1, 66, 3, 4]) await b.emit(value);
    expect(await b.drain()).toEqual([]);
    expect(xs(b)).toEqual([1, 3, 4, 4]);
    expect(eventTexts(b)).toEqual(["event 1"]);
    const names = (await readdir(join(b.dir, "refused"))).filter((name) => name.endsWith(".txt")).toSorted();
    const reasons = await Promise.all(names.map((name) => readFile(join(b.dir, "refused", name), "utf8")));
    expect(reasons).toHaveLength(2);
    expect(reasons[0]).toContain("ingest.events\n");
    expect(reasons[0]).toContain("409 another content");
    expect(reasons[1]).toContain("400 sixty-six is no number");
    await b.emit(5);
    b.server.refuse = () => null;
    await b.drain();
    expect(b.server.readings.some((reading) => /^trainwatch_agent_put_aside_total \d+ 2$/.test(reading))).toBe(true);
  });

  it.each([401, 403, 404, 429, 500])("waits and tries again where the server answers %i: somebody can mend that", async (status) => {
    const b = await bench();
    b.server.refuse = () => ({ status, message: "not now" });
    await b.emit(1);
    expect((await b.drain()).join()).toContain(`${status} not now`);
    expect(await readdir(b.dir)).not.toContain("refused");
    b.server.refuse = () => null;
    await b.drain();
    expect(xs(b)).toEqual([1, 1, 1]);
  });

  it("waits as long as Retry-After asks, and else longer and longer", async () => {
    const b = await bench();
    b.server.refuse = (verb) => (verb === "ingest.frame" ? { status: 429, headers: { "retry-after": "17" } } : null);
    await b.emit(2);
    const stop = new AbortController();
    const running = b.agent.run(stop.signal);
    await expect.poll(() => b.clock.sleeping).toContain(17_000);
    b.server.refuse = () => ({ status: 503 });
    b.clock.advance(17_000);
    await expect.poll(() => b.clock.sleeping.some((ms) => ms >= 500 && ms <= 1_000)).toBe(true);
    stop.abort();
    await running;
  });

  it("tells a source that fails three times in a row, once", async () => {
    const b = await bench();
    for (let index = 0; index < 5; index++) await b.emit(-1);
    await b.drain();
    expect(b.server.events.flatMap(({ events }) => events)).toMatchObject([
      { kind: "source-failed", severity: "warning", text: "Source test (test) failed 3 times in a row: the exporter is away" },
    ]);
    expect(b.server.readings.some((reading) => /^trainwatch_agent_source_up \d+ 0$/.test(reading))).toBe(true);
    await b.emit(2);
    expect(b.said.at(-1)).toBe("test is read again after 6 failures");
  });

  it("tells that the clock jumped and by how much, and leaves readings at the times they were taken at", async () => {
    const b = await bench();
    await b.emit(2);
    const before = b.clock.now();
    b.clock.jump(-3_600_000);
    await b.emit(4);
    await b.drain();
    expect(b.server.events.flatMap(({ events }) => events)).toMatchObject([
      { kind: "clock-jump", text: expect.stringContaining("jumped 3600.0 s back") },
    ]);
    expect(b.server.readings.filter((reading) => reading.startsWith("x "))).toEqual([
      `x ${before} 2`,
      `x ${before - 3_599_000} 4`,
      `x ${before - 3_599_000} 4`,
    ]);
  });

  it.each([
    ["drop-oldest", /The oldest readings are dropped/],
    ["stop", /New readings are not taken/],
  ] as const)("a full spool says so and does what the policy says: %s", async (whenFull, policy) => {
    const b = await bench({ maxSize: 30_000, whenFull });
    b.server.refuse = () => ({ status: 503 });
    const count = 400;
    for (let value = 0; value < 2 * count; value += 2) await b.emit(value);
    expect(b.said.filter((line) => line.includes("No room for readings"))).toHaveLength(1);
    expect(b.said.find((line) => line.includes("No room for readings"))).toMatch(policy);
    b.server.refuse = () => null;
    await b.drain();
    await b.emit(2 * count);
    await b.drain();
    const kept = xs(b);
    const lost = count + 2 - kept.length;
    expect(lost).toBeGreaterThan(100);
    // Without a hole within what was kept: either the newest are there, or the oldest.
    if (whenFull === "drop-oldest") expect(kept.slice(0, -3)).toEqual(evens(kept[0] ?? -1, 2 * count));
    else expect(kept.slice(0, 80)).toEqual(evens(0, 160));
    const told = b.server.events.flatMap(({ events }) => events).filter(({ kind }) => kind === "spool-full");
    expect(told.map(({ severity }) => severity)).toEqual(["warning", "info"]);
    expect(b.server.readings.some((reading) => /^trainwatch_agent_dropped_total \d+ [1-9]/.test(reading))).toBe(true);
  });

  it("a full disk (a writer that has no room left) says so, loses no event, and goes on when there is room", async () => {
    let isFull = false;
    const b = await bench(
      {},
      {
        openWriter: async (path) => {
          const writer = await openSegmentWriter(path);
          return {
            isBroken: false,
            close: () => writer.close(),
            append: (bytes, at) =>
              isFull ? Promise.reject(new Error("ENOSPC: no space left on device, write")) : writer.append(bytes, at),
          };
        },
      },
    );
    await b.emit(2);
    isFull = true;
    await b.emit(5);
    await b.emit(6);
    expect(b.said.filter((line) => line.includes("ENOSPC"))).toHaveLength(2);
    isFull = false;
    // A source whose events were not taken stands where it was, and gives them again.
    await b.emit(5);
    await b.drain();
    expect(eventTexts(b).filter((text) => text.startsWith("event"))).toEqual(["event 5", "event 5"]);
    expect(b.server.events.flatMap(({ events }) => events).filter(({ kind }) => kind === "spool-full").length).toBeGreaterThanOrEqual(2);
    expect(xs(b)).toEqual([2, 5, 5]);
  });
});

/** From the first to below the last. */
function evens(from: number, to: number): readonly number[] {
  return Array.from({ length: (to - from) / 2 }, (_, index) => from + 2 * index);
}

import type { Store } from "@trainwatch/store";
import { encodeFrame } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { bare, dictionary, frameOf, temperatures } from "../fleet-ingest/frame.fixture.ts";
import { createVerbBench } from "../fixtures/verb-bench.ts";

const hot = [60, 61, 62, 63, 64, 65, 66, 67];

async function storedReadings(pool: Store["pool"]): Promise<number> {
  // Two bytes and four a run around the readings.
  const { rows } = await pool.query<{ readings: number }>(
    "SELECT coalesce(sum((length(data) - 2 - 4 * get_byte(data, 0)) / 8), 0)::int AS readings FROM samples.fleet_tail",
  );
  return rows[0]?.readings ?? -1;
}

describe("ingest.frame", () => {
  it("stores what it answers; the same again is repeated and stored once", async () => {
    await using bench = await createVerbBench();
    const now = bench.clock.now();
    const verbs = bench.as("ingest");
    const frame = frameOf(
      "agent",
      [temperatures("n1"), temperatures("n2")],
      [
        { dictionary: 0, timeMs: now - 20_000, values: hot },
        { dictionary: 1, timeMs: now - 20_000, values: hot },
        { dictionary: 0, timeMs: now - 10_000, values: [60, null, 62, null, null, 65, 66, Number.NaN] },
      ],
    );
    expect(await verbs.ingest.frame(frame)).toEqual({ accepted: 21, repeated: 0, refused: [], refusedTotal: 0, unknown: [] });
    expect(await verbs.ingest.frame(frame)).toEqual({ accepted: 0, repeated: 21, refused: [], refusedTotal: 0, unknown: [] });
    expect(await storedReadings(bench.store.pool)).toBe(21);
  });

  it("asks for series that it does not know, and stores nothing of the frame then", async () => {
    await using bench = await createVerbBench();
    const now = bench.clock.now();
    const verbs = bench.as("ingest");
    const [n1, n2] = [temperatures("n1"), temperatures("n2")];
    const rows = [
      { dictionary: 0, timeMs: now, values: hot },
      { dictionary: 1, timeMs: now, values: hot },
    ];
    expect(await verbs.ingest.frame(frameOf("agent", [n1, bare(n2)], rows))).toMatchObject({ accepted: 0, unknown: [n2.digest] });
    expect(await storedReadings(bench.store.pool)).toBe(0);
    expect(await verbs.ingest.frame(frameOf("agent", [n1, n2], rows))).toMatchObject({ accepted: 16, unknown: [] });
    expect(await verbs.ingest.frame(frameOf("agent", [bare(n1), bare(n2)], rows))).toMatchObject({ repeated: 16, unknown: [] });
    expect(await verbs.ingest.frame(frameOf("other agent", [bare(n1), n2], rows))).toMatchObject({ unknown: [n1.digest] });
  });

  it("refuses by name what it cannot take, and stores the rest", async () => {
    await using bench = await createVerbBench();
    const now = bench.clock.now();
    const verbs = bench.as("ingest", "admin");
    await verbs.settings.set({ retentionDays: null, fleetRawDays: 7 });
    const mixed = dictionary([
      ["good", { host: "n1" }],
      ["", {}],
      ["many", Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`l${index}`, "x"]))],
      ["long", { text: "x".repeat(1_025) }],
      ["nul", { text: "\0" }],
    ]);
    const rows = [now, now - 8 * 86_400_000, now + 11 * 60_000, Number.NaN].map((timeMs) => ({
      dictionary: 0,
      timeMs,
      values: [1, 2, 3, 4, 5],
    }));
    const answer = await verbs.ingest.frame(frameOf("agent", [mixed], rows));
    expect(answer).toMatchObject({ accepted: 1, repeated: 0, refusedTotal: 19 });
    expect(answer.refused.slice(0, 5).map(({ row, series, code }) => [row, series, code])).toEqual([
      [0, 1, "bad-name"],
      [0, 2, "bad-labels"],
      [0, 3, "bad-labels"],
      [0, 4, "bad-labels"],
      [1, 0, "too-old"],
    ]);
    expect(answer.refused.map(({ row, code }) => `${row} ${code}`)).toEqual(expect.arrayContaining(["2 too-new", "3 bad-time"]));
    const other = await verbs.ingest.frame(
      frameOf("agent", [bare(mixed)], [{ dictionary: 0, timeMs: now, values: [7, null, null, null, null] }]),
    );
    expect(other).toMatchObject({ accepted: 0, repeated: 0, refusedTotal: 1, refused: [{ row: 0, series: 0, code: "conflict" }] });
  });

  it("lists 1,000 refusals and counts all", async () => {
    await using bench = await createVerbBench();
    const now = bench.clock.now();
    const rows = Array.from({ length: 200 }, (_, index) => ({ dictionary: 0, timeMs: now + 3_600_000 + index, values: hot }));
    const answer = await bench.as("ingest").ingest.frame(frameOf("agent", [temperatures("n1")], rows));
    expect([answer.accepted, answer.refused.length, answer.refusedTotal]).toEqual([0, 1_000, 1_600]);
  });

  it("E4: asks for the series again where a place was called otherwise meanwhile, so that a change back is told too", async () => {
    await using bench = await createVerbBench();
    const start = bench.clock.now() - 600_000;
    const verbs = bench.as("ingest");
    const at = (index: string) =>
      dictionary([["DCGM_FI_DEV_GPU_TEMP", { gpu: index, UUID: "GPU-1" }]], { Hostname: "n1", job: "dcgm", instance: "n1:9400" });
    const [zero, three] = [at("0"), at("3")];
    const send = (which: typeof zero, second: number) =>
      verbs.ingest.frame(frameOf("agent", [which], [{ dictionary: 0, timeMs: start + 1_000 * second, values: [50] }]));
    expect(await send(zero, 0)).toMatchObject({ accepted: 1 });
    expect(await send(bare(zero), 10)).toMatchObject({ accepted: 1 });
    expect(await send(three, 20)).toMatchObject({ accepted: 1 });
    expect(await send(bare(zero), 30)).toMatchObject({ accepted: 0, unknown: [zero.digest] });
    expect(await send(zero, 30)).toMatchObject({ accepted: 1 });
    const { rows } = await bench.store.pool.query<{ value: string; from: number }>(
      `SELECT value, (from_ms - $1) / 1000 AS "from" FROM fleet_attribute WHERE key = 'GPU-1' AND name = 'index' ORDER BY from_ms`,
      [start],
    );
    expect(rows).toEqual([
      { value: "0", from: 0 },
      { value: "3", from: 20 },
      { value: "0", from: 30 },
    ]);
    const { rows: series } = await bench.store.pool.query("SELECT count(*)::int AS n FROM samples.fleet_series");
    expect(series).toEqual([{ n: 1 }]);
  });

  it("keeps the bits of NaNs, also where a sender has not filled up its header", async () => {
    await using bench = await createVerbBench();
    const now = bench.clock.now();
    const values = new Uint8Array(16);
    const view = new DataView(values.buffer);
    view.setUint32(0, 2, true);
    view.setUint32(4, 0x7ff00000, true);
    view.setUint32(8, 1, true);
    view.setUint32(12, 0x7ff80000, true);
    const series = dictionary([
      ["a", { host: "n1" }],
      ["b", { host: "n1" }],
    ]);
    const padded = encodeFrame({ source: "s", dictionaries: [series] }, [{ dictionary: 0, timeMs: now, presence: null, values }]);
    const text = Buffer.from(JSON.stringify({ source: "odd", dictionaries: [series] }));
    const odd = Buffer.concat([padded.subarray(0, 8), text, Buffer.alloc(text.length % 4 === 0 ? 1 : 0, " "), padded.subarray(-32)]);
    odd.writeUInt32LE(odd.length - 8 - 32, 4);
    // Bytes that begin anywhere in their buffer, as a caller in this process may have them.
    const shifted = Buffer.concat([Buffer.alloc(1), padded]).subarray(1);
    for (const [bytes, counts] of [
      [padded, { accepted: 2, repeated: 0 }],
      [odd, { accepted: 0, repeated: 2 }],
      [shifted, { accepted: 0, repeated: 2 }],
    ] as const) {
      expect(await bench.as("ingest").ingest.frame(bytes)).toMatchObject(counts);
    }
    const { rows } = await bench.store.pool.query<{ data: string }>("SELECT encode(data, 'hex') AS data FROM samples.fleet_tail");
    expect(rows[0]?.data).toContain("020000000000f07f010000000000f87f");
  });

  it("does not take the series of one dictionary for those of another that its sender calls the same", async () => {
    await using bench = await createVerbBench();
    const now = bench.clock.now();
    const verbs = bench.as("ingest");
    const [n1, n2] = [temperatures("n1"), { ...temperatures("n2"), digest: temperatures("n1").digest }];
    for (const node of [n1, n2]) {
      expect(await verbs.ingest.frame(frameOf("agent", [node], [{ dictionary: 0, timeMs: now, values: hot }]))).toMatchObject({
        accepted: 8,
      });
    }
    const { rows } = await bench.store.pool.query("SELECT count(*)::int AS series FROM samples.fleet_series");
    expect(rows).toEqual([{ series: 16 }]);
  });

  it("compares a series that comes twice in one frame with itself", async () => {
    await using bench = await createVerbBench();
    const now = bench.clock.now();
    const twice = dictionary([
      ["a", { host: "n1" }],
      ["a", { host: "n1" }],
      ["a", { host: "n1" }],
    ]);
    const answer = await bench.as("ingest").ingest.frame(frameOf("agent", [twice], [{ dictionary: 0, timeMs: now, values: [1, 1, 2] }]));
    expect(answer).toMatchObject({ accepted: 1, repeated: 1, refused: [{ row: 0, series: 2, code: "conflict" }] });
    const again = await bench
      .as("ingest")
      .ingest.frame(frameOf("agent", [bare(twice)], [{ dictionary: 0, timeMs: now, values: [1, 1, 1] }]));
    expect(again).toMatchObject({ accepted: 0, repeated: 3, unknown: [] });
  });

  it("says of what is no frame that it is none, and of who may not send that he may not", async () => {
    await using bench = await createVerbBench();
    await expect(bench.as("ingest").ingest.frame(new Uint8Array(7))).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await expect(bench.as("read").ingest.frame(new Uint8Array(7))).rejects.toMatchObject({ code: "FORBIDDEN" });
  });
});

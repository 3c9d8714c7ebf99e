import { READING_STATES } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { endsOf, NO_STEP, prepareCells } from "./cells.ts";
import { findGpus } from "./find-gpu.ts";
import { eventOf, frameOf, layoutOf, TEMPERATURE } from "./fleet.fixture.ts";
import { errorRateText, fleetQuantity, fleetSummary, gpuTitle } from "./fleet-words.ts";
import { markFleet } from "./marks.ts";
import { outlineOf } from "./outline.ts";
import { byUnusual, prepareGround, preparePicture } from "./picture.ts";
import { SCALE_STEPS, viridis } from "./viridis.ts";

const layout = layoutOf({ nodes: 4, rackOf: () => "A01", cordoned: [1] });
const ROOM = { widthPx: 600, heightPx: 200 };

describe("the colours of the cells", () => {
  it("lie on the catalogue's scale: the usual in its dark third, an outlier at its end", () => {
    const frame = frameOf(layout, (gpu) => (gpu === 5 ? 104 : 70 + (gpu % 3)));
    const { scale, step, beyond } = prepareCells({ layout, frame, metric: TEMPERATURE, kind: "absolute" });
    expect([scale.low, scale.high, scale.from]).toEqual([60, 95, "catalogue"]);
    expect(step[5]).toBe(SCALE_STEPS - 1);
    expect(Math.max(...step.filter((_, gpu) => gpu !== 5))).toBeLessThan(SCALE_STEPS * 0.4);
    expect(beyond).toEqual({ low: 0, high: 1 });
  });

  it("E5: are none where there is no reading, and each state is counted", () => {
    const states = READING_STATES.filter((state) => state !== "ok");
    const frame = frameOf(layout, (gpu) => states[gpu] ?? 70);
    const { step, counts, distribution } = prepareCells({ layout, frame, metric: TEMPERATURE, kind: "absolute" });
    expect([...step.slice(0, states.length)]).toEqual(states.map(() => NO_STEP));
    expect(counts).toEqual(READING_STATES.map((state) => (state === "ok" ? 32 - states.length : 1)));
    expect(distribution.reduce((sum, count) => sum + count, 0)).toBe(32 - states.length);
  });

  it("show a GPU against those of its model, and leave out a model of too few", () => {
    const frame = frameOf(layout, (gpu) => (gpu === 3 ? 84 : 70 + (gpu % 4)));
    const { shown } = prepareCells({ layout, frame, metric: TEMPERATURE, kind: "peers" });
    expect(shown[3]).toBeGreaterThan(6);
    expect(Math.abs(shown[2] ?? Number.NaN)).toBeLessThan(2);
    const other = { ...layout, gpu: { ...layout.gpu, model: layout.gpu.model.map((model, gpu) => (gpu < 4 ? 1 : model)) } };
    expect(prepareCells({ layout: other, frame, metric: TEMPERATURE, kind: "peers" }).shown[3]).toBeNaN();
  });

  it("make no fault of GPUs that all read alike", () => {
    const { shown } = prepareCells({ layout, frame: frameOf(layout, (gpu) => (gpu === 3 ? 71 : 70)), metric: TEMPERATURE, kind: "peers" });
    expect(shown[3]).toBe(1);
  });

  it("take their scale from the data where the catalogue has none, the same over a whole play", () => {
    const metric = { domain: null, digits: 0 };
    const own = prepareCells({ layout, frame: frameOf(layout, (gpu) => gpu), metric, kind: "absolute" }).scale;
    expect([own.low, own.high, own.from]).toEqual([0, 31, "data"]);
    const held = prepareCells({ layout, frame: frameOf(layout, (gpu) => gpu), metric, kind: "absolute", ends: [0, 100] }).scale;
    expect([held.low, held.high, held.from]).toEqual([0, 100, "data"]);
    expect(endsOf([[null, 5], [5]])).toEqual({ low: 0, high: 5 });
    expect(endsOf([[null]])).toEqual({ low: 0, high: 1 });
  });

  it("are those of viridis at its ends", () => {
    expect([viridis(0), viridis(1), viridis(7)]).toEqual(["rgb(68,1,84)", "rgb(253,231,37)", "rgb(253,231,37)"]);
  });
});

describe("marks", () => {
  it("F1: of a burst are one, the worst word of a GPU counts, and what is over leaves none", () => {
    const gpu = { kind: "gpu", id: layout.gpu.id[2] ?? "" } as const;
    const events = [
      eventOf({ entity: gpu, count: 9_999 }),
      eventOf({ entity: { kind: "link", id: `${gpu.id}/link/5` }, severity: "warning" }),
      eventOf({ nodeId: "machine-3" }),
      eventOf({ nodeId: "machine-2", severity: "info" }),
      eventOf({ nodeId: "machine-1", timeMs: -3_000_000, lastTimeMs: -2_000_000 }),
      eventOf({ nodeId: "machine-1", timeMs: 1_000_001, lastTimeMs: 1_000_001 }),
    ];
    const marks = markFleet({ layout, events, incidents: [], atMs: 1_000_000 });
    expect(marks.drawn.map((mark) => [mark.gpu, mark.severity, mark.count])).toEqual([
      [2, "critical", 10_000],
      [24, "critical", 1],
    ]);
    expect(marks.bySeverity).toEqual({ critical: 2, warning: 0, info: 0 });
  });

  it("of an incident stand on the GPUs that it accuses and on a node's first one, with its title before what events say", () => {
    const id = layout.gpu.id[2] ?? "";
    const incidents = [
      { incidentId: 8, title: "newest", severity: "warning", gpuIds: [id], nodeIds: [] },
      { incidentId: 7, title: "XID 79", severity: "critical", gpuIds: [id, "GPU-gone"], nodeIds: ["machine-3"] },
    ] as const;
    const events = [eventOf({ entity: { kind: "gpu", id }, count: 40 })];
    const marks = markFleet({ layout, events, incidents, atMs: 1_000_000 });
    expect(marks.drawn).toEqual([
      { gpu: 2, severity: "critical", count: 1, text: "XID 79", incidentId: 7 },
      { gpu: 24, severity: "critical", count: 1, text: "XID 79", incidentId: 7 },
    ]);
  });
});

describe("the outline of a run", () => {
  const hall = layoutOf({ nodes: 8, rackOf: (node) => `${node < 4 ? "A" : "B"}0${(node % 4) + 1}` });
  const { places } = prepareGround(hall, "rack", ROOM);

  it("encloses racks that belong to it as one field", () => {
    expect(outlineOf(places, (gpu) => gpu < 32)).toHaveLength(10);
    expect(outlineOf(places, () => true)).toHaveLength(12);
  });

  it("runs between the cells of a rack that it shares", () => {
    expect(outlineOf(places, (gpu) => gpu < 3)).toHaveLength(8);
    expect(outlineOf(places, () => false)).toEqual([]);
  });
});

describe("finding a GPU", () => {
  it.each([
    ["GPU-00000009-aaaa", 9],
    ["00000009", 9],
    ["n2", 8],
    ["n2 3", 11],
    ["N2 GPU 3", 11],
    ["n2:3", 11],
    ["rank 17", 17],
    ["17", 17],
  ])("takes %s for GPU %i", (query, gpu) => expect(findGpus(layout, query, 5).gpus[0]).toBe(gpu));

  it("counts all that fit and shows some", () => {
    expect(findGpus(layout, "gpu-0", 4)).toMatchObject({ gpus: [0, 1, 2, 3], total: 32 });
    expect(findGpus(layout, "nothing like it", 4)).toEqual({ gpus: [], total: 0 });
    expect(findGpus(layout, "  ", 4)).toEqual({ gpus: [], total: 0 });
  });
});

describe("the map in words", () => {
  const ground = prepareGround(layout, "rack", ROOM);
  const frame = frameOf(layout, (gpu) => (gpu === 5 ? 91 : gpu === 6 ? "none" : gpu === 7 ? "invalid" : 70 + (gpu % 3)));
  const picture = preparePicture({ ground, metric: TEMPERATURE, frame, kind: "absolute", events: [], incidents: [] });

  it("says how many, how hot, which one, and what is missing", () => {
    expect(fleetSummary({ layout, frame, metric: TEMPERATURE, cells: picture.cells, at: "now" })).toBe(
      "Memory temperature of 32 GPUs on 4 nodes, now. Median 71 °C; highest 91 °C on n1 GPU 5, lowest 70 °C on n1 GPU 0. no data: 1, not a reading: 1. 1 node cordoned.",
    );
  });

  it("goes to the most unusual GPU first, and to none without a reading", () => {
    expect(byUnusual(picture)[0]).toBe(5);
    expect(byUnusual(picture)).toHaveLength(30);
  });

  it("names a GPU by its UUID where no source tells its index", () => {
    const blind = { ...layout, gpu: { ...layout.gpu, index: layout.gpu.index.map(() => null) } };
    expect(gpuTitle(layout, 9)).toBe("n2 GPU 1");
    expect(gpuTitle(blind, 9)).toBe("n2 GPU-00000009");
  });

  it.each([
    [71.4, { unit: "°C", digits: 0 }, false, "71 °C"],
    [24_100_000_000, { unit: "B", digits: 0 }, true, "24.1 GB/s"],
    [456_000_000_000, { unit: "ns", digits: 0 }, false, "456.0 s"],
    [0.004, { unit: "", digits: 2 }, false, "0.004 "],
    [null, { unit: "W", digits: 0 }, false, "– "],
  ])("writes %s as %s", (value, words, isRate, text) => {
    const quantity = fleetQuantity(value, words, isRate);
    expect(`${quantity.text} ${quantity.unit}`).toBe(text);
  });

  it.each([
    [0, "0"],
    [1 / 300, "0.0033"],
    [0.12, "0.12"],
    [4.26, "4.3"],
    [431.6, "432"],
  ])("writes %s errors per second so that an error is never a zero", (perS, text) => {
    expect(errorRateText(perS)).toBe(text);
  });
});

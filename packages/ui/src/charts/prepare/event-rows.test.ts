import type { Checkpoint, RunDetail, RunNote } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { attemptStrip } from "./attempt-strip.ts";
import { eventRows, type EventInput } from "./event-rows.ts";

const checkpoint = (step: number, given: Partial<Checkpoint> = {}): Checkpoint => ({
  attempt: "a2",
  step,
  kind: "model",
  path: null,
  state: "unchecked",
  savedAtMs: null,
  reason: null,
  ...given,
});
const attempts: RunDetail["attempts"] = [
  {
    name: "a1",
    parent: null,
    branchStep: null,
    firstStep: 1,
    lastStep: 1_000,
    origin: "first",
    superseded: [{ fromStep: 501, toStep: 1_000 }],
    startedAtMs: null,
    endedAtMs: null,
    question: null,
  },
  {
    name: "a2",
    parent: "a1",
    branchStep: 500,
    firstStep: 501,
    lastStep: 2_000,
    origin: "step-fell-back",
    superseded: [],
    startedAtMs: null,
    endedAtMs: null,
    question: null,
  },
];
const rows = (given: Partial<EventInput>) =>
  eventRows({
    attempts: [],
    checkpoints: [],
    notes: [],
    findings: [],
    toX: (step) => step,
    range: { from: 0, to: 2_000 },
    axisIsTime: false,
    xPerPx: 1,
    ...given,
  });
const fault = { severity: "critical", state: "shifted", attempt: "a2", onsetStep: 1_503, onsetLowerStep: 1_500 } as const;

describe("the rows of events", () => {
  it("has no row for what does not exist", () => {
    expect(rows({})).toEqual([]);
  });

  it("tells checkpoints apart by state, and those saved after the onset from the good ones", () => {
    const [row] = rows({
      checkpoints: [
        checkpoint(1_000, { state: "verified" }),
        checkpoint(1_250),
        checkpoint(1_400, { state: "incomplete", reason: "1 shard missing" }),
        checkpoint(1_600),
      ],
      findings: [fault],
    });
    expect(row?.marks.map(({ x, shape, text }) => [x, shape, text])).toEqual([
      [1_000, "verified", "checkpoint 1,000 verified"],
      [1_250, "unchecked", "checkpoint 1,250 complete"],
      [1_400, "incomplete", "checkpoint 1,400 incomplete: 1 shard missing"],
      [1_600, "suspect", "checkpoint 1,600 complete, saved after onset"],
    ]);
  });

  it("keeps the weightier of marks that stand too close, and counts them all", () => {
    const [row] = rows({
      checkpoints: Array.from({ length: 200 }, (_, index) => checkpoint(index * 10, index === 77 ? { state: "incomplete" } : {})),
      xPerPx: 10,
    });
    expect(row?.total).toBe(200);
    expect(row?.marks.length).toBeLessThan(25);
    expect(row?.marks.some((mark) => mark.shape === "incomplete")).toBe(true);
  });

  it("draws a branch from where the parent ended back to where it left", () => {
    const [row] = rows({ attempts });
    expect(row?.marks).toEqual([{ x: 1_000, shape: "branch", text: "a2: back to 500, 500 steps superseded", spoken: true, fromX: 500 }]);
  });

  it("places notes without a step on the time axis only", () => {
    const note: RunNote = { kind: "decision", attempt: "a2", step: null, timeMs: 700, text: "accepted" };
    expect(rows({ notes: [note] })).toEqual([]);
    expect(rows({ notes: [note], axisIsTime: true })[0]?.marks[0]).toMatchObject({ x: 700, shape: "decision", spoken: true });
  });
});

describe("the attempts strip", () => {
  it("gives each launch a bar and hangs what was rolled back under it", () => {
    const strip = attemptStrip(attempts, []);
    expect(strip?.bars).toEqual([
      {
        name: "a1",
        from: 1,
        to: 501,
        newest: false,
        stub: { from: 501, to: 1_000, text: "rolled back, 500 steps" },
        title: "a1: steps 1 to 1,000; rolled back, 500 steps",
      },
      { name: "a2", from: 501, to: 2_000, newest: true, stub: null, title: "a2: steps 501 to 2,000" },
    ]);
    expect(strip).toMatchObject({ from: 1, to: 2_000, counts: "2 launches, 1 went back", lost: "500 steps superseded" });
  });

  it("names the reason where the source told one", () => {
    const strip = attemptStrip(attempts, [{ kind: "restart", attempt: "a2", step: 501, timeMs: null, text: "node lost, XID 79" }]);
    expect(strip?.bars[0]?.stub?.text).toBe("node lost, XID 79, 500 steps");
  });

  it("does not stand without a step", () => {
    expect(attemptStrip([], [])).toBeNull();
  });
});

import { describe, expect, it } from "vitest";
import { type Lineage, type PlacedPoint, createLineage } from "./index.ts";
import { type Act, act, inPushes, interleave, points, range } from "./scenario.fixture.ts";

function placedBy(acts: readonly Act[]): { lineage: Lineage; placed: PlacedPoint[] } {
  const lineage = createLineage();
  return { lineage, placed: act(lineage, acts).placed };
}

/** Steps by `series attempt/writer`. */
function stepsByPlace(placed: readonly PlacedPoint[]): Record<string, number[]> {
  const steps: Record<string, number[]> = {};
  for (const { point, placement } of placed)
    (steps[`${point.series} ${placement.attempt}/${placement.writer ?? "first"}`] ??= []).push(point.step);
  return steps;
}

describe("attempts", () => {
  it("C1: a resume from step 500 of 1000 is a second attempt, one absurd step is flagged, and every later point is kept", () => {
    const { lineage, placed } = placedBy([
      ...points("loss", range(1, 1000)),
      ...points("loss", range(501, 700)),
      ...points("loss", [1e9]),
      ...points("loss", range(701, 800)),
    ]);
    expect(lineage.attempts()).toMatchObject([
      { name: "a1", parent: null, branchStep: null, firstStep: 1, lastStep: 1000, origin: "first", question: null },
      { name: "a2", parent: "a1", branchStep: 500, firstStep: 501, lastStep: 800, origin: "step-fell-back", question: null },
    ]);
    expect(placed).toHaveLength(1301);
    expect(placed.filter(({ placement }) => placement.flag === "far-step").map(({ point }) => point.step)).toEqual([1e9]);
    expect(stepsByPlace(placed)["loss a2/first"]).toEqual([...range(501, 700), 1e9, ...range(701, 800)]);
  });

  it("C2: a second launch that counts from 0 again is an attempt with the question whether only the counter was reset", () => {
    const { lineage, placed } = placedBy([...points("loss", range(0, 999)), ...points("loss", range(0, 99))]);
    expect(lineage.attempts()[1]).toEqual({
      name: "a2",
      parent: "a1",
      branchStep: null,
      firstStep: 0,
      lastStep: 99,
      origin: "step-fell-back",
      question: "counter-reset",
    });
    expect(stepsByPlace(placed)["loss a1/first"]).toEqual(range(0, 999));
  });

  it("asks no question when a start marker stood before the new count", () => {
    const { lineage } = placedBy([...points("loss", range(0, 999)), { marker: "--- Tuning run 2/5 ---" }, ...points("loss", range(0, 99))]);
    expect(lineage.attempts()[1]).toEqual({
      name: "a2",
      parent: "a1",
      branchStep: null,
      firstStep: 0,
      lastStep: 99,
      origin: "marker",
      question: null,
      startMarker: "--- Tuning run 2/5 ---",
    });
  });

  it("begins a marked attempt with its first point, without waiting for three", () => {
    const { lineage } = placedBy([...points("loss", range(1, 100)), { marker: "launch" }, ...points("loss", [51])]);
    expect(lineage.attempts()[1]).toMatchObject({ origin: "marker", branchStep: 50, firstStep: 51, lastStep: 51 });
  });

  it("C4: three event files that overlap, told by their beginnings, are three attempts without a backward line", () => {
    const { lineage, placed } = placedBy([
      { marker: "file" },
      ...points("loss", range(1, 100)),
      { marker: "file" },
      ...points("loss", range(81, 160)),
      { marker: "file" },
      ...points("loss", range(141, 200)),
    ]);
    expect(lineage.attempts().map(({ name, branchStep }) => [name, branchStep])).toEqual([
      ["a1", null],
      ["a2", 80],
      ["a3", 140],
    ]);
    for (const steps of Object.values(stepsByPlace(placed))) expect(steps).toEqual([...steps].sort((a, b) => a - b));
  });

  it.each([
    ["before any point", [{ marker: "banner" }, ...points("loss", range(1, 20))]],
    ["twice before any point", [{ marker: "banner" }, { marker: "banner of rank 1" }, ...points("loss", range(1, 20))]],
    ["where the steps go on", [...points("loss", range(1, 20)), { marker: "banner" }, ...points("loss", range(21, 40))]],
    ["at the end", [...points("loss", range(1, 20)), { marker: "banner" }]],
  ] satisfies [string, Act[]][])("makes no attempt of a marker %s", (_where, acts) => {
    expect(
      placedBy(acts)
        .lineage.attempts()
        .map(({ name }) => name),
    ).toEqual(["a1"]);
  });

  it("makes no attempt of a marker when the series of the first new line share its step", () => {
    const { lineage } = placedBy([
      ...points("init_time", [0]),
      { marker: "run_start" },
      ...interleave(points("step_time", range(896, 8960, 896)), points("loss", range(896, 8960, 896))),
    ]);
    expect(lineage.attempts()).toHaveLength(1);
  });

  it("forgets a marker once the run has gone on above what it had reached", () => {
    const { lineage } = placedBy([
      ...points("loss", range(1, 20)),
      { marker: "banner" },
      ...points("loss", range(21, 40)),
      ...points("loss", [38]),
    ]);
    expect(lineage.attempts().map(({ origin }) => origin)).toEqual(["first", "step-fell-back"]);
  });

  it("names the ancestor that holds the branch step as the parent, not the attempt just before", () => {
    const { lineage } = placedBy([
      ...points("loss", range(1, 1000)),
      ...points("loss", range(501, 700)),
      ...points("loss", range(501, 900)),
      ...points("loss", range(801, 850)),
    ]);
    expect(lineage.attempts().map(({ name, parent, branchStep }) => [name, parent, branchStep])).toEqual([
      ["a1", null, null],
      ["a2", "a1", 500],
      ["a3", "a1", 500],
      ["a4", "a3", 800],
    ]);
  });

  it("takes the usual gap for the branch step when a run logs every tenth step", () => {
    const { lineage } = placedBy([...points("loss", range(10, 5240, 10)), ...points("loss", range(5010, 5200, 10))]);
    expect(lineage.attempts()[1]).toMatchObject({ branchStep: 5000, firstStep: 5010 });
  });

  it("lets all series of the run share an attempt, also one that does not fall back itself", () => {
    const lines = (from: number, to: number): Act[] => interleave(points("loss", range(from, to)), points("grad_norm", range(from, to)));
    const { lineage, placed } = placedBy([
      ...points("eval/loss", [100]),
      ...lines(1, 400),
      ...lines(201, 300),
      ...points("eval/loss", [300]),
      ...lines(301, 500),
    ]);
    expect(lineage.attempts()).toHaveLength(2);
    expect(stepsByPlace(placed)).toMatchObject({
      "eval/loss a1/first": [100],
      "eval/loss a2/first": [300],
      "grad_norm a2/first": range(201, 500),
      "loss a2/first": range(201, 500),
    });
  });

  it("keeps the points of a rank that has not restarted yet in the old attempt", () => {
    const { placed } = placedBy([
      ...interleave(points("loss{rank=0}", range(1, 100)), points("loss{rank=1}", range(1, 100))),
      ...points("loss{rank=0}", range(51, 54)),
      ...points("loss{rank=1}", range(101, 103)),
      ...interleave(points("loss{rank=0}", range(55, 80)), points("loss{rank=1}", range(51, 76))),
    ]);
    expect(stepsByPlace(placed)).toEqual({
      "loss{rank=0} a1/first": range(1, 100),
      "loss{rank=1} a1/first": range(1, 103),
      "loss{rank=0} a2/first": range(51, 80),
      "loss{rank=1} a2/first": range(51, 76),
    });
  });

  it("calls a fall-back at the very end an attempt for now, so that nothing acknowledged is held", () => {
    const { lineage, placed } = placedBy([...points("loss", range(1, 100)), ...points("loss", [51])]);
    expect(placed).toHaveLength(101);
    expect(lineage.attempts()[1]).toMatchObject({ name: "a2", branchStep: 50, firstStep: 51, lastStep: 51 });
  });

  it("believes a lone jump no more than the steps that go on from before it, however small the jump", () => {
    const { lineage, placed } = placedBy([...points("loss", range(1, 20)), ...points("loss", [90]), ...points("loss", range(21, 60))]);
    expect(lineage.attempts()).toHaveLength(1);
    expect(placed).toHaveLength(61);
  });

  it("believes a far jump when three points follow from there", () => {
    const { lineage, placed } = placedBy([...points("loss", range(1, 10)), ...points("loss", range(50_000, 50_010))]);
    expect(lineage.attempts()).toMatchObject([{ firstStep: 1, lastStep: 50_010 }]);
    expect(placed.filter(({ placement }) => placement.flag !== null)).toEqual([]);
  });

  it("says that far points of an earlier push are none once the run has gone on from there", () => {
    const lineage = createLineage();
    act(lineage, points("loss", [...range(1, 10), 50_000, 50_010]));
    expect(lineage.attempts()[0]?.lastStep).toBe(10);
    const { corrections } = act(lineage, points("loss", [50_020]));
    expect(corrections).toEqual([
      {
        series: "loss",
        attempt: "a1",
        writer: null,
        becomes: { attempt: "a1", writer: null },
        reflag: { fromStep: 50_000, toStep: 50_010, flag: null },
      },
    ]);
    expect(lineage.attempts()[0]?.lastStep).toBe(50_020);
  });

  it("goes back over a believed jump when the run falls back to what was before it: a restart is a restart, and the jump was none", () => {
    const { lineage, placed } = placedBy(points("loss", [...range(1, 100), ...range(1e9, 1e9 + 2), ...range(51, 60)]));
    expect(lineage.attempts()).toMatchObject([
      { name: "a1", lastStep: 100 },
      { name: "a2", parent: "a1", branchStep: 50, lastStep: 60 },
    ]);
    expect(placed.filter(({ placement }) => placement.flag !== null)).toHaveLength(3);
  });

  it("takes a run that resumes at a high step and later counts from 0 again for two attempts", () => {
    const { lineage } = placedBy(points("loss", [...range(50_000, 50_002), ...range(0, 5)]));
    expect(lineage.attempts()).toMatchObject([{ firstStep: 50_000 }, { firstStep: 0, question: "counter-reset" }]);
  });

  it("takes a point that comes late for what it is", () => {
    const { lineage } = placedBy([...points("loss", [1, 2, 3, 5, 6, 4, 7, 9, 8, 10, 11, 12])]);
    expect(lineage.attempts()).toHaveLength(1);
  });

  it("takes a push sent twice for a repeat, not for a restart", () => {
    const batch = points("loss", range(11, 17));
    const { lineage, placed } = placedBy([...points("loss", range(1, 10)), ...batch, ...batch, ...points("loss", range(18, 30))]);
    expect(lineage.attempts()).toHaveLength(1);
    expect(placed.every(({ placement }) => placement.writer === null)).toBe(true);
  });

  it("A12: five thousand rows on one step are one attempt of one writer, and the state stays small", () => {
    const { lineage, placed } = placedBy(
      points(
        "loss",
        Array.from({ length: 5000 }, () => 0),
      ),
    );
    expect(lineage.attempts()).toMatchObject([{ name: "a1", firstStep: 0, lastStep: 0 }]);
    expect(placed.every(({ placement }) => placement.attempt === "a1" && placement.writer === null && placement.flag === null)).toBe(true);
    expect(JSON.stringify(lineage.state()).length).toBeLessThan(2000);
  });
});

describe("attempts named by the source", () => {
  it("follow the name and not the steps", () => {
    const { lineage, placed } = placedBy([
      { named: "job-7" },
      ...points("loss", range(1, 100)),
      ...points("loss", range(51, 60)),
      { named: "job-8" },
      ...points("loss", range(91, 120)),
    ]);
    expect(lineage.attempts()).toMatchObject([
      { name: "job-7", parent: null, origin: "source", firstStep: 1, lastStep: 100 },
      { name: "job-8", parent: "job-7", branchStep: 90, origin: "source", firstStep: 91, lastStep: 120 },
    ]);
    expect(placed.filter(({ placement }) => placement.attempt === "job-7")).toHaveLength(110);
  });

  it("may be written in turn by two launches at once", () => {
    const acts: Act[] = range(1, 20).flatMap((step) => [
      { named: "x" },
      ...points("loss", [step]),
      { named: "y" },
      ...points("loss", [step + 500]),
    ]);
    const { placed } = placedBy(acts);
    expect(stepsByPlace(placed)).toEqual({ "loss x/first": range(1, 20), "loss y/first": range(501, 520) });
  });

  it("take parent and branch step from the source where it says them", () => {
    const lineage = createLineage();
    act(lineage, points("loss", range(1, 100)));
    lineage.named("retry", { parent: "a1", branchStep: 40 });
    act(lineage, points("loss", range(51, 60)));
    expect(lineage.attempts()[1]).toMatchObject({ name: "retry", parent: "a1", branchStep: 40 });
  });

  it("are not listed while they have no point", () => {
    const { lineage } = placedBy([...points("loss", range(1, 10)), { named: "empty" }]);
    expect(lineage.attempts().map(({ name }) => name)).toEqual(["a1"]);
  });
});

describe("writers", () => {
  it("are two when both sequences go on, in step or one behind the other", () => {
    for (const lag of [0, 1, 3]) {
      const first = points("loss", range(1, 200));
      const second = [...points("other", range(1, lag)), ...points("loss", range(1, 200))];
      const { lineage, placed } = placedBy(interleave(first, second));
      expect(lineage.attempts()).toHaveLength(1);
      const steps = stepsByPlace(placed);
      expect(steps["loss a1/2"]?.length).toBeGreaterThanOrEqual(199);
      expect(steps["loss a1/2"]).toEqual([...(steps["loss a1/2"] ?? [])].sort((a, b) => a - b));
    }
  });

  it("D5: sixteen ranks logging loss at the same step are sixteen series of one attempt and no writers", () => {
    const ranks = Array.from({ length: 16 }, (_, rank) => points(`loss{rank=${rank}}`, range(1, 50)));
    const { lineage, placed } = placedBy(interleave(...ranks));
    expect(lineage.attempts()).toHaveLength(1);
    expect(placed).toHaveLength(800);
    expect(placed.every(({ placement }) => placement.writer === null && placement.flag === null)).toBe(true);
  });

  it("are not seen in a validation row that repeats a field of the training row on every fifth step", () => {
    for (const every of [2, 5, 7]) {
      const acts = range(200, 20_000, 200).flatMap((step, index) => [
        ...points("train_time", [step]),
        ...(index % every === 0 ? points("train_time", [step]) : []),
      ]);
      const { lineage, where } = inPushes(acts.map((item) => [item]));
      expect(lineage.attempts()).toHaveLength(1);
      expect(new Set(where.values())).toEqual(new Set(["a1/-"]));
    }
  });

  it("keep their own sequences through a restart of both", () => {
    const pair = (from: number, to: number): Act[] => interleave(points("loss", range(from, to, 10)), points("loss", range(from, to, 10)));
    const { lineage, placed } = placedBy([...pair(10, 1000), ...pair(510, 900)]);
    expect(lineage.attempts()).toMatchObject([{ name: "a1" }, { name: "a2", branchStep: 500 }]);
    const steps = stepsByPlace(placed);
    expect(steps["loss a2/first"]).toEqual(range(510, 900, 10));
    expect(steps["loss a2/2"]).toEqual(range(510, 900, 10));
  });

  it("are found by a correction when what looked like a restart in one push goes on beside the old sequence in the next", () => {
    const old = points("loss", range(1, 100));
    const beside = interleave(points("loss", range(101, 110)), points("loss", range(52, 61)));
    const { lineage, where } = inPushes([old, points("loss", [51]), beside]);
    expect(lineage.attempts().map(({ name }) => name)).toEqual(["a1"]);
    expect(new Set(where.values())).toEqual(new Set(["a1/-", "a1/2"]));
  });

  it("are found even after three points had made an attempt of the second", () => {
    const lineage = createLineage();
    const first = act(lineage, [...points("loss", range(1, 100)), ...points("loss", range(51, 55))]);
    expect(first.corrections).toEqual([]);
    expect(lineage.attempts()).toHaveLength(2);
    const second = act(lineage, interleave(points("loss", range(101, 106)), points("loss", range(56, 61))));
    expect(second.corrections).toEqual([{ series: "loss", attempt: "a2", writer: null, becomes: { attempt: "a1", writer: "2" } }]);
    expect(lineage.attempts().map(({ name }) => name)).toEqual(["a1"]);
  });

  it("leave a few stray points below, and those lose the attempt they were given for a while", () => {
    const { lineage, where } = inPushes([points("loss", range(1, 100)), points("loss", [51]), points("loss", range(101, 120))]);
    expect(lineage.attempts().map(({ name }) => name)).toEqual(["a1"]);
    expect(new Set(where.values())).toEqual(new Set(["a1/-"]));
  });
});

describe("state", () => {
  it("survives JSON with non-finite values in its memory", () => {
    const lineage = createLineage();
    act(lineage, [
      { point: { series: "loss", step: 1, timeMs: null, value: Number.NaN } },
      { point: { series: "loss", step: 2, timeMs: null, value: Number.POSITIVE_INFINITY } },
    ]);
    const restored = createLineage(JSON.parse(JSON.stringify(lineage.state())));
    const { placed } = act(restored, [{ point: { series: "loss", step: 1, timeMs: null, value: Number.NaN } }]);
    expect(placed[0]?.placement).toEqual({ attempt: "a1", writer: null, flag: null });
    expect(restored.attempts()).toHaveLength(1);
  });

  it("stays under 60 kB for 64 series after 1,000 steps and a restart", () => {
    const lineage = createLineage();
    const lines = (from: number, to: number): Act[] =>
      range(from, to).flatMap((step) =>
        Array.from({ length: 64 }, (_, index) => ({
          point: { series: `s${index}`, step, timeMs: null, value: Math.fround(step / (index + 1)) },
        })),
      );
    act(lineage, lines(1, 1000));
    act(lineage, lines(501, 600));
    expect(lineage.attempts()).toHaveLength(2);
    expect(JSON.stringify(lineage.state()).length).toBeLessThan(60_000);
  });

  it("is refused while points are held, and a step that is no number is a bug", () => {
    const lineage = createLineage();
    for (const item of points("loss", [1, 2, 3, 10, 11, 1])) if ("point" in item) lineage.place(item.point);
    expect(() => lineage.state()).toThrow(/settle/);
    expect(() => lineage.place({ series: "loss", step: Number.NaN, timeMs: null, value: 1 })).toThrow(RangeError);
  });

  it("holds no more than a few points a series, whatever comes", () => {
    const lineage = createLineage();
    let inside = 0;
    let most = 0;
    const feed = (step: number, value: number): void => {
      inside += 1 - lineage.place({ series: "loss", step, timeMs: null, value }).length;
      most = Math.max(most, inside);
    };
    for (let step = 1; step <= 100; step++) feed(step, step);
    for (let index = 0; index < 5000; index++) feed(50, 0.5);
    for (let index = 0; index < 5000; index++) feed(100 - (index % 97), index);
    expect(most).toBeLessThan(300);
  });
});

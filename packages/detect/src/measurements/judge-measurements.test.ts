import { describe, expect, it } from "vitest";
import type { MeasuredRow, MeasuredSeries } from "./contract.ts";
import { judgeMeasurements } from "./judge-measurements.ts";
import { saySize } from "./judge-sizes.ts";

const table = (kind: MeasuredSeries["kind"], rows: readonly MeasuredRow[], better: MeasuredSeries["better"] = "lower"): MeasuredSeries => ({
  title: "probe",
  unit: better === "lower" ? "ms" : "GB/s",
  better,
  kind,
  rows,
});
const odd = (given: MeasuredSeries): readonly string[] => judgeMeasurements(given).flatMap(({ text, isOdd }) => (isOdd ? [text] : []));
const peers = (values: readonly number[], at = 1): readonly MeasuredRow[] =>
  values.map((value, index) => ({ of: `rank ${index}`, at, value }));

describe("peers", () => {
  it("name the one that is far worse than the others, in its round", () => {
    const rounds = [...peers([65.5, 65.7, 65.7, 65.7], 1), ...peers([65.5, 515.5, 65.7, 65.7], 2)];
    expect(odd(table("peers", rounds))).toEqual([
      expect.stringMatching(/^Rank 1 stands out in round 2: 516 ms where its peers have 65\.7 ms \(×7\.8\d/),
    ]);
  });

  it("name nobody for a difference below 5 %, within the scatter, on the good side, or among two", () => {
    expect(odd(table("peers", peers([100, 100, 100, 104])))).toEqual([]);
    expect(odd(table("peers", peers([80, 90, 100, 110, 125])))).toEqual([]);
    expect(odd(table("peers", peers([100, 100, 100, 40])))).toEqual([]);
    expect(odd(table("peers", peers([100, 200])))).toEqual([]);
    expect(odd(table("peers", peers([100, 100, 100, 40]), "higher"))).toHaveLength(1);
  });

  it("may be as many as a log has lines", () => {
    const many = Array.from({ length: 150_000 }, (_, index) => ({ of: `rank ${index}`, at: 1, value: 10 }));
    expect(judgeMeasurements(table("peers", many))[0]?.text).toBe("Median 10 ms of 150,000, from 10 to 10 ms");
  });

  it("tell a slow first round for a warm-up and a slow later one for odd", () => {
    const slow = (round: number) =>
      [1, 2, 3, 4, 5].flatMap((at) =>
        peers(
          [10, 10, 10].map((value) => (at === round ? 2.7 * value : value)),
          at,
        ),
      );
    expect(judgeMeasurements(table("peers", slow(1))).at(-1)).toEqual({
      text: "Round 1 is worse for all: ×2.70 of the usual 10 ms; as the first round it may be a warm-up",
      isOdd: false,
    });
    expect(odd(table("peers", slow(4)))).toEqual(["Round 4 is worse for all: ×2.70 of the usual 10 ms"]);
  });
});

describe("places", () => {
  it("compare each with its own first round", () => {
    const rows = [
      { of: "ranks 0 and 1", at: 1, value: 16.3 },
      { of: "ranks 2 and 3", at: 1, value: 12.8 },
      { of: "ranks 0 and 1", at: 2, value: 20.3 },
      { of: "ranks 2 and 3", at: 2, value: 12.79 },
    ];
    expect(judgeMeasurements(table("places", rows))).toEqual([
      { text: "Ranks 0 and 1: 16.3 ms in round 1, 20.3 ms later (+25 %)", isOdd: true },
      { text: "Ranks 2 and 3: 12.8 ms in round 1, 12.8 ms later (0 %)", isOdd: false },
    ]);
  });
});

describe("sizes", () => {
  const curve = (values: readonly number[]): readonly MeasuredRow[] =>
    values.map((value, power) => ({ of: "in-place", at: 2 ** (20 + power), value }));

  it("say how high the bandwidth comes, from where on it has half of that, and where it falls off", () => {
    expect(judgeMeasurements(table("sizes", curve([1, 10, 60, 100]), "higher"))).toEqual([
      { text: "In-place: up to 100 GB/s at 8 MiB; half of that from 4 MiB on", isOdd: false },
    ]);
    expect(odd(table("sizes", curve([1, 10, 100, 70, 101]), "higher"))).toEqual([
      "In-place falls to 70 GB/s at 8 MiB, below the 100 GB/s of 4 MiB",
    ]);
  });

  it("do not take the wobble of small messages for a fall", () => {
    expect(odd(table("sizes", curve([2, 1, 60, 100]), "higher"))).toEqual([]);
  });

  it.each([
    [512, "512 B"],
    [40_160_460, "38.3 MiB"],
    [2 ** 33, "8 GiB"],
  ])("%d bytes are said as %s", (bytes, text) => expect(saySize(bytes)).toBe(text));
});

describe("times", () => {
  const series = (count: number, value: (index: number, worker: number) => number): readonly MeasuredRow[] =>
    Array.from({ length: count }, (_, index) =>
      [0, 1, 2, 3].map((worker) => ({ of: `worker ${worker}`, at: index + 1, value: value(index, worker) })),
    ).flat();
  const wobble = (index: number): number => 1 + 0.02 * Math.sin(index * 12.9);

  it("say from when on all are slow, in a long log and in a short one", () => {
    expect(
      odd(
        table(
          "times",
          series(100, (index) => wobble(index) * (index >= 70 ? 1.3 : 1)),
        ),
      ),
    ).toEqual([
      expect.stringMatching(/^Slow for all from 71 on, to the end: up to 1\.3\d ms where \d\.?\d* ms was usual .*, 30 times in a row$/),
    ]);
    expect(
      odd(
        table(
          "times",
          series(7, (index) => [1.128, 1.127, 1.176, 1.121, 1.125, 1.234, 1.33][index] ?? 1),
        ),
      ),
    ).toEqual([
      expect.stringMatching(/^Slow for all from 6 on, to the end: up to 1\.33 ms where 1\.13 ms was usual \(×1\.18\), 2 times in a row$/),
    ]);
  });

  it("say where a stretch has ended, and nothing of a wobble or of four slow times in a long log", () => {
    expect(
      odd(
        table(
          "times",
          series(100, (index) => wobble(index) * (index >= 70 && index < 80 ? 1.3 : 1)),
        ),
      ),
    ).toEqual([expect.stringMatching(/^Slow for all from 71 on, until 81:/)]);
    expect(odd(table("times", series(100, wobble)))).toEqual([]);
    expect(
      odd(
        table(
          "times",
          series(100, (index) => wobble(index) * (index >= 70 && index < 74 ? 1.3 : 1)),
        ),
      ),
    ).toEqual([]);
  });

  it("name a worker that is slower than its peers throughout, and count single slow times of one", () => {
    expect(
      odd(
        table(
          "times",
          series(100, (index, worker) => wobble(index) * (worker === 2 ? 1.2 : 1)),
        ),
      ),
    ).toEqual([expect.stringMatching(/^Worker 2 stands out: 1\.2\d? ms where its peers have 1(\.\d+)? ms/)]);
    const facts = judgeMeasurements(
      table(
        "times",
        series(100, (index, worker) => (worker === 3 && index === 40 ? 2.4 : wobble(index))),
      ),
    );
    expect(facts.at(-1)?.text).toMatch(/^Worker 3 has 1 of 100 times above 1\.5 of its median, the worst ×2\.4\d? at 41$/);
    expect(facts.at(-1)?.isOdd).toBe(false);
  });
});

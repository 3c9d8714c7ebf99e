import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RankStep } from "../rank/contract.ts";
import { createRankAssembler, NEW_ASSEMBLER, type AssemblerState } from "./rank-assembler.ts";
import type { RankSample } from "./rank-mean.ts";

const at = (rank: string | null, step: number, value = 1, metric = "loss", timeMs: number | null = null): RankSample => ({
  metric,
  rank,
  step,
  value,
  timeMs,
});
const rowsOf = (samples: readonly RankSample[]): RankStep[] => {
  const assembler = createRankAssembler(NEW_ASSEMBLER);
  return samples.flatMap((sample) => [...assembler.take(sample)]);
};
/** Step and values; null where a rank said nothing. */
const plain = (rows: readonly RankStep[]) =>
  rows.map(({ step, values, has }) => [step, [...values].map((value, rank) => (has[rank] === 1 ? value : null))]);
const stepOf = (ranks: number, step: number): RankSample[] =>
  Array.from({ length: ranks }, (_, rank) => at(String(rank), step, 10 * step + rank));

describe("createRankAssembler", () => {
  it("gives a step once all ranks known are there; the first once the next has begun", () => {
    const assembler = createRankAssembler(NEW_ASSEMBLER);
    const given = [...stepOf(3, 1), ...stepOf(3, 2), ...stepOf(3, 3)].map((sample) => plain(assembler.take(sample)));
    expect(given.map((rows) => rows.length)).toEqual([0, 0, 0, 1, 0, 1, 0, 0, 1]);
    expect(given[3]).toEqual([[1, [10, 11, 12]]]);
  });

  it("waits for ranks that push many steps each, one rank after the other", () => {
    const pushes = [0, 1, 2, 3].flatMap((rank) => Array.from({ length: 20 }, (_, step) => at(String(rank), step, rank)));
    const rows = rowsOf([...pushes, at("0", 20)]);
    expect(plain(rows)).toEqual(Array.from({ length: 20 }, (_, step) => [step, [0, 1, 2, 3]]));
  });

  it("lets a step go without a rank that is late, counts what comes after, and does not wait for ever for one that has gone", () => {
    const assembler = createRankAssembler(NEW_ASSEMBLER);
    const take = (samples: readonly RankSample[]) => samples.flatMap((sample) => plain(assembler.take(sample)));
    take([...stepOf(3, 0), ...stepOf(3, 1)]);
    const without = Array.from({ length: 100 }, (_, index) => stepOf(2, 2 + index)).flat();
    const rows = take(without);
    // Until three steps have gone out without it, each waits for 64 newer ones; from then on none does.
    expect(rows[0]).toEqual([2, [20, 21, null]]);
    expect(rows).toHaveLength(100);
    expect(take([at("2", 50)])).toEqual([]);
    expect(assembler.unused()).toEqual({ late: 1, unnamed: 0 });
  });

  it("does not wait for a value that was lost: a rank that has gone on to a later step has nothing more to say of an earlier one", () => {
    const samples = Array.from({ length: 10 }, (_, step) => stepOf(4, step).filter(({ rank }) => !(rank === "2" && step === 5))).flat();
    const rows = rowsOf(samples);
    expect(rows.map(({ step }) => step)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect([...(rows[5]?.has ?? [])]).toEqual([1, 1, 0, 1]);
  });

  it("does not wait for ranks that log less often than others", () => {
    const assembler = createRankAssembler(NEW_ASSEMBLER);
    const given: number[] = [];
    for (let step = 0; step < 60; step++)
      for (const sample of stepOf(step % 10 === 0 ? 4 : 2, step)) for (const row of assembler.take(sample)) given.push(step - row.step);
    // Up to the next step of the slow ranks, and no longer.
    expect(Math.max(...given)).toBeLessThanOrEqual(10);
    expect(given.length).toBeGreaterThanOrEqual(50);
  });

  it("waits again for a rank that has come back", () => {
    const assembler = createRankAssembler(NEW_ASSEMBLER);
    const take = (samples: readonly RankSample[]) => samples.flatMap((sample) => plain(assembler.take(sample)));
    take([...stepOf(3, 0), ...stepOf(3, 1), ...Array.from({ length: 80 }, (_, index) => stepOf(2, 2 + index)).flat()]);
    expect(take([at("2", 100), at("0", 100), at("1", 100), at("0", 101), at("1", 101), at("2", 101)]).map(([step]) => step)).toEqual([
      100, 101,
    ]);
  });

  it("keeps NaN and infinities apart from silence, and the latest time of a step", () => {
    const rows = rowsOf([at("0", 1, Number.NaN, "loss", 100), at("2", 1, Number.POSITIVE_INFINITY, "loss", 300), at("0", 2), at("2", 2)]);
    expect(plain(rows)[0]).toEqual([1, [Number.NaN, null, Number.POSITIVE_INFINITY]]);
    expect(rows[0]?.timeMs).toBe(300);
  });

  it("keeps metrics apart, ascending for each, also where steps come out of order", () => {
    const rows = rowsOf([
      at("0", 2),
      at("1", 2),
      at("0", 1),
      at("1", 1),
      at("0", 3),
      at("1", 3),
      at("0", 1, 1, "grad_norm"),
      at("1", 1, 1, "grad_norm"),
    ]);
    expect(rows.map(({ metric, step }) => [metric, step])).toEqual([
      ["loss", 1],
      ["loss", 2],
      ["loss", 3],
    ]);
  });

  it("takes only labels that name a rank, and tells the newest step of each", () => {
    const assembler = createRankAssembler(NEW_ASSEMBLER);
    for (const sample of [
      at(null, 1),
      at("0", 5),
      at("0", 4),
      at("17", 9, 1, "grad_norm"),
      at("01", 1),
      at("rank1", 1),
      at("-1", 1),
      at("200000", 1),
      at("", 1),
    ])
      assembler.take(sample);
    expect([...assembler.lastSteps()]).toEqual([
      [0, 5],
      [17, 9],
    ]);
    expect(assembler.unused()).toEqual({ late: 0, unnamed: 5 });
  });

  it("gives what still waits when asked, and goes on", () => {
    const assembler = createRankAssembler(NEW_ASSEMBLER);
    for (const sample of [...stepOf(2, 1), ...stepOf(2, 2)]) assembler.take(sample);
    assembler.take(at("0", 3));
    expect(plain(assembler.open())).toEqual([[3, [1, null]]]);
    expect(plain(assembler.take(at("1", 3, 2)))).toEqual([[3, [1, 2]]]);
  });

  it("bounds what waits by memory: fewer steps for many ranks", () => {
    const ranks = 60_000;
    const assembler = createRankAssembler(NEW_ASSEMBLER);
    const given: number[] = [];
    for (let step = 0; step < 30; step++)
      for (const rank of step === 0 ? [0, ranks - 1] : [0]) for (const row of assembler.take(at(String(rank), step))) given.push(row.step);
    expect(given.length).toBeGreaterThanOrEqual(30 - 17);
  });

  it("stored as JSON at any point and read back, goes on as if it had never stopped", () => {
    const any = fc.array(
      fc.record({
        metric: fc.constantFrom("loss", "grad_norm"),
        rank: fc.constantFrom("0", "1", "2", "9", "x"),
        step: fc.nat(30),
        timeMs: fc.option(fc.nat(1e6)),
        value: fc.oneof(fc.integer(), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY)),
      }),
      { maxLength: 200 },
    );
    fc.assert(
      fc.property(any, fc.nat(200), (samples, cut) => {
        const whole = createRankAssembler(NEW_ASSEMBLER);
        const first = createRankAssembler(NEW_ASSEMBLER);
        const all = samples.flatMap((sample) => [...whole.take(sample)]);
        const before = samples.slice(0, cut).flatMap((sample) => [...first.take(sample)]);
        const stored: AssemblerState = JSON.parse(JSON.stringify(first.state()));
        const second = createRankAssembler(stored);
        expect([...before, ...samples.slice(cut).flatMap((sample) => [...second.take(sample)])]).toEqual(all);
        expect([...second.lastSteps()]).toEqual([...whole.lastSteps()]);
        expect(second.unused()).toEqual(whole.unused());
        expect(second.open()).toEqual(whole.open());
        const steps = all.map(({ metric, step }) => [metric, step] as const);
        for (const metric of ["loss", "grad_norm"]) {
          const own = steps.filter(([name]) => name === metric).map(([, step]) => step);
          expect(own).toEqual([...new Set(own)].sort((a, b) => a - b));
        }
      }),
    );
  });
});

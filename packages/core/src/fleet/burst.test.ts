import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BURST_SILENCE_MS, burstOf, foldBursts, type Burst } from "./burst.ts";
import type { FleetEvent } from "./fleet-event.ts";

const SECOND = 1_000;

function burst(atS: number, more: Partial<Burst> = {}): Burst {
  return { firstMs: atS * SECOND, lastMs: atS * SECOND, count: 1, severity: "info", text: `at ${atS}`, fromGauge: false, ...more };
}

function seen(bursts: readonly Burst[]) {
  return foldBursts(bursts).map(({ firstMs, lastMs, count, text, fromGauge }) => [
    firstMs / SECOND,
    lastMs / SECOND,
    count,
    text,
    fromGauge,
  ]);
}

describe("bursts", () => {
  it("are over after three minutes of silence", () => {
    expect(seen([burst(0), burst(180), burst(361)])).toEqual([
      [0, 180, 2, "at 0", false],
      [361, 361, 1, "at 361", false],
    ]);
  });

  it("keep the worst severity and what the sender has folded already", () => {
    const event: FleetEvent = {
      timeMs: 0,
      kind: "xid",
      code: 45,
      subCode: null,
      severity: "critical",
      entity: null,
      text: "x",
      count: 7,
      lastTimeMs: 60_000,
    };
    const [folded] = foldBursts([burstOf(event, false), burst(100)]);
    expect(folded).toMatchObject({ count: 8, lastMs: 100_000, severity: "critical" });
  });

  it("E1: a gauge's change and the log's line within a minute are one event, in the log's words", () => {
    expect(seen([burst(50, { fromGauge: true }), burst(0, { text: "Xid 79" })])).toEqual([[0, 50, 1, "Xid 79", false]]);
    expect(seen([burst(0, { fromGauge: true }), burst(50, { text: "Xid 79", count: 12 })])).toEqual([[0, 50, 12, "Xid 79", false]]);
  });

  it("E1: more than a minute apart they are two of one burst", () => {
    expect(seen([burst(0, { fromGauge: true }), burst(61, { text: "Xid 79" })])).toEqual([[0, 61, 2, "Xid 79", false]]);
  });

  it("lose and double nothing, whatever the order and however they are cut", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 60 }), fc.integer({ min: 0, max: 60 }), (times, cut) => {
        const all = times.map((at) => burst(at));
        const whole = foldBursts(all);
        expect(whole.reduce((sum, { count }) => sum + count, 0)).toBe(times.length);
        for (const [place, each] of whole.entries()) {
          const before = whole[place - 1];
          if (before !== undefined) expect(each.firstMs - before.lastMs).toBeGreaterThan(BURST_SILENCE_MS);
        }
        const parts = [...foldBursts(all.slice(0, cut)), ...foldBursts(all.slice(cut))];
        expect(foldBursts(parts).map(({ firstMs, lastMs, count }) => [firstMs, lastMs, count])).toEqual(
          whole.map(({ firstMs, lastMs, count }) => [firstMs, lastMs, count]),
        );
      }),
    );
  });
});

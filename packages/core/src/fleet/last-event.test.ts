import { describe, expect, it } from "vitest";
import { fieldOf } from "./catalogue/index.ts";
import type { FleetField } from "./field.ts";
import { lastEventChanges } from "./last-event.ts";

function xid(): FleetField {
  const field = fieldOf("DCGM_FI_DEV_XID_ERRORS");
  if (field === null) throw new Error("the catalogue has no XID gauge");
  return field;
}

function gauge(values: readonly number[], stale: readonly number[] = []) {
  return { timesMs: values.map((_, index) => index * 10_000), values, stale: values.map((_, index) => (stale.includes(index) ? 1 : 0)) };
}

describe("events behind the XID gauge", () => {
  it("E1: an hour of 79 after 0 is one event, at the time of the change", () => {
    const hour = Array.from({ length: 360 }, () => 79);
    const outcome = lastEventChanges(xid(), null, gauge([0, 0, ...hour]));
    expect(outcome).toEqual({ changes: [{ timeMs: 20_000, code: 79, isOld: false }], last: 79 });
  });

  it("E1: a restart of ours goes on where it stood, and 79 that still stands is no event", () => {
    expect(lastEventChanges(xid(), 79, gauge([79, 79]))).toEqual({ changes: [], last: 79 });
  });

  it("E1: a code that stands there when we begin to watch is said to be from before", () => {
    expect(lastEventChanges(xid(), null, gauge([79, 79])).changes).toEqual([{ timeMs: 0, code: 79, isOld: true }]);
  });

  it("E1: an exporter that restarts tells nothing new, and a driver that is loaded anew forgets", () => {
    expect(lastEventChanges(xid(), 79, gauge([0, 79], [0])).changes).toEqual([]);
    expect(lastEventChanges(xid(), 79, gauge([0, 79])).changes).toEqual([{ timeMs: 10_000, code: 79, isOld: false }]);
  });

  it("E1: the exporter's count within its window is never a counter", () => {
    expect(fieldOf("DCGM_EXP_XID_ERRORS_COUNT")?.kind).toBe("windowed-count");
  });

  it("readings that are none are passed over", () => {
    const outcome = lastEventChanges(xid(), 13, gauge([Number.NaN, 4294967295, 2 ** 63, 13.5, -1, 13]));
    expect(outcome).toEqual({ changes: [], last: 13 });
  });

  it("cutting the readings anywhere gives the same events", () => {
    const values = [0, 0, 13, 13, 0, 13, 79, 79, 31];
    const whole = lastEventChanges(xid(), null, gauge(values)).changes.map(({ code }) => code);
    for (let cut = 1; cut < values.length; cut++) {
      const first = lastEventChanges(xid(), null, gauge(values.slice(0, cut)));
      const second = lastEventChanges(xid(), first.last, gauge(values.slice(cut)));
      expect([...first.changes, ...second.changes].map(({ code }) => code)).toEqual(whole);
    }
  });
});

import type { Gate } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { gateParts, shortResult } from "./gate-parts.ts";
import { aRow } from "./release.fixture.ts";

const rows = [aRow("Unsafe but answered (XSTest, unsafe)", []), aRow("Latency, p95", [], { unit: "s", scale: 1, digits: 2 })];
const KEY = "Unsafe but answered (XSTest, unsafe)|acc|";
const parts = (gate: Gate) => gateParts({ gate, title: "the whole title" }, rows);

describe("a criterion in the narrow table of gates", () => {
  it("keeps its bound apart from its name, in the row's own unit", () => {
    expect(parts({ kind: "limit", row: KEY, bound: "at-most", value: 0.015, confidence: null })).toEqual({
      name: "Unsafe but answered",
      bound: "≤ 1.5 %",
      unit: "%",
    });
    expect(parts({ kind: "limit", row: "Latency, p95|acc|", bound: "at-least", value: 2.5, confidence: 0.95 }).bound).toBe("≥ 2.5 s");
    expect(parts({ kind: "no-loss", row: KEY, margin: 0.02, confidence: 0.95 })).toMatchObject({ bound: "≥ −2 pp", unit: "pp" });
    const lower = [aRow("Refused", [], { better: "lower" })];
    const gate = { kind: "no-loss", row: "Refused|acc|", margin: 0.02, confidence: 0.95 } as const;
    expect(gateParts({ gate, title: "" }, lower).bound).toBe("≤ +2 pp");
    expect(parts({ kind: "worse-rows", dimension: "capability", most: 0 })).toMatchObject({ name: "Worse in task results", bound: "≤ 0" });
    expect(parts({ kind: "worse-rows", dimension: null, most: 2 })).toMatchObject({ name: "Worse rows", bound: "≤ 2" });
  });

  it("is its whole title where no row has been measured, or none is asked for", () => {
    const whole = { name: "the whole title", bound: "", unit: "" };
    expect(parts({ kind: "limit", row: "other|acc|", bound: "at-most", value: 1, confidence: null })).toEqual(whole);
    expect(parts({ kind: "verified" })).toEqual(whole);
  });

  it("has results without what its bound says, and a dash for what cannot be told", () => {
    const limit = { name: "x", bound: "≤ 1.5 %", unit: "%" };
    expect(shortResult({ text: "4.8 %", state: "fail" }, limit)).toBe("4.8");
    expect(shortResult({ text: "−0.7 pp, at least −2.1", state: "fail" }, { ...limit, unit: "pp" })).toBe("−0.7");
    expect(shortResult({ text: "yes", state: "pass" }, { ...limit, unit: "" })).toBe("yes");
    expect(shortResult({ text: "after 1,160", state: "fail" }, { ...limit, unit: "" })).toBe("after");
    expect(shortResult({ text: "none found", state: "pass" }, { ...limit, unit: "" })).toBe("none");
    expect(shortResult({ text: "not checked", state: "unknown" }, limit)).toBe("–");
  });
});

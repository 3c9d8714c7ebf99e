import { describe, expect, it } from "vitest";
import { spikeFinding } from "../fixtures/verb-bench.ts";
import { shownFindings } from "./shown-findings.ts";

const T0 = Date.UTC(2026, 0, 1);
const device = (index: number, given: object) =>
  spikeFinding({
    id: `f${index}`,
    fingerprint: `p${index}`,
    attempt: "",
    metric: "xid",
    subject: { kind: "gpu", id: `GPU-${index}` },
    onsetStep: null,
    onsetLowerStep: null,
    detectedStep: null,
    onsetTimeMs: T0 + index * 1_000,
    detectedTimeMs: T0 + index * 1_000,
    ...given,
  });

describe("findings that are shown of an incident", () => {
  it("are all of them where they are few", () => {
    const few = [device(0, {}), device(1, {})];
    expect(shownFindings(few)).toBe(few);
  });

  it("F1: keep the initiator and the run's own, in their order, and leave out clearing up and notes first", () => {
    const dead = device(500, { facts: [{ fact: "gpu-error", value: 79 }], onsetTimeMs: T0 });
    const teardown = Array.from({ length: 400 }, (_, index) =>
      device(index, { severity: "warning", facts: [{ fact: "gpu-error", value: 45 }] }),
    );
    const notes = Array.from({ length: 50 }, (_, index) => device(1_000 + index, { severity: "info" }));
    const loss = spikeFinding({ id: "loss", fingerprint: "loss", onsetTimeMs: T0 + 60_000 });
    const shown = shownFindings([loss, ...notes, ...teardown, dead]);
    expect(shown).toHaveLength(200);
    expect([shown[0]?.id, shown.at(-1)?.id]).toEqual(["loss", "f500"]);
    expect(shown.filter(({ severity }) => severity === "info")).toEqual([]);
  });
});

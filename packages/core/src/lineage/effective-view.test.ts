import { describe, expect, it } from "vitest";
import { type AttemptSpan, createLineage, effectiveView } from "./index.ts";
import { act, points, range } from "./scenario.fixture.ts";

const span = (
  name: string,
  parent: string | null,
  branchStep: number | null,
  firstStep: number | null,
  lastStep: number | null,
): AttemptSpan => ({ name, parent, branchStep, firstStep, lastStep });

describe("effectiveView", () => {
  it("C1: takes the second attempt from 501 on and leaves the first one's tail superseded", () => {
    const lineage = createLineage();
    act(lineage, [...points("loss", range(1, 1000)), ...points("loss", range(501, 800))]);
    const view = effectiveView(lineage.attempts());
    expect(view.effective).toEqual([
      { attempt: "a1", fromStep: 1, toStep: 500 },
      { attempt: "a2", fromStep: 501, toStep: 800 },
    ]);
    expect([...view.superseded]).toEqual([["a1", [{ fromStep: 501, toStep: 1000 }]]]);
  });

  it("leaves out attempts off the line of the newest one", () => {
    const view = effectiveView([span("a1", null, null, 1, 1000), span("a2", "a1", 500, 501, 700), span("a3", "a1", 300, 301, 400)]);
    expect(view.effective.map(({ attempt, fromStep, toStep }) => [attempt, fromStep, toStep])).toEqual([
      ["a1", 1, 300],
      ["a3", 301, 400],
    ]);
    expect(view.superseded.get("a2")).toEqual([{ fromStep: 501, toStep: 700 }]);
  });

  it("cuts an ancestor where the lowest later branch lies", () => {
    const view = effectiveView([span("a1", null, null, 1, 100), span("a2", "a1", 80, 81, 200), span("a3", "a2", 60, 61, 90)]);
    expect(view.effective.map(({ attempt, toStep }) => [attempt, toStep])).toEqual([
      ["a1", 60],
      ["a3", 90],
    ]);
    expect(view.superseded.get("a2")).toEqual([{ fromStep: 81, toStep: 200 }]);
  });

  it("lets a start from scratch supersede everything before it", () => {
    const view = effectiveView([span("a1", null, null, 0, 999), span("a2", "a1", null, 0, 99)]);
    expect(view.effective).toEqual([{ attempt: "a2", fromStep: 0, toStep: 99 }]);
    expect(view.superseded.get("a1")).toEqual([{ fromStep: 0, toStep: 999 }]);
  });

  it("passes over attempts without steps and survives parents that are unknown or in a ring", () => {
    expect(effectiveView([])).toEqual({ effective: [], superseded: new Map() });
    expect(effectiveView([span("a1", null, null, 1, 9), span("a2", "a1", 5, null, null)]).effective).toEqual([
      { attempt: "a1", fromStep: 1, toStep: 9 },
    ]);
    expect(effectiveView([span("a2", "gone", 5, 6, 9)]).effective).toEqual([{ attempt: "a2", fromStep: 6, toStep: 9 }]);
    expect(effectiveView([span("x", "y", 5, 6, 9), span("y", "x", 5, 6, 9)]).effective).toHaveLength(1);
  });
});

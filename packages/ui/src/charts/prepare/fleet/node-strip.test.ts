import type { FleetIncidentMark, FleetLayout } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { layoutOf } from "./fleet.fixture.ts";
import { prepareNodeStrip } from "./node-strip.ts";
import { stripNodeTitle, stripSummary } from "./strip-words.ts";

/** Twelve nodes of two GPUs: a run on six, another on three, one that shares a node, and two spare. */
const RUN_OF_GPU = [...Array(12).fill(0), ...Array(6).fill(1), 1, 2, -1, -1, -1, -1];

function fleet(change: Partial<FleetLayout["nodes"][number]> = {}, at = -1): FleetLayout {
  const layout = layoutOf({ nodes: 12, gpusPerNode: 2, cordoned: [4] });
  return {
    ...layout,
    nodes: layout.nodes.map((node, index) => (index === at ? { ...node, ...change } : node)),
    runs: [
      { id: 1, name: "lab/large" },
      { id: 2, name: "lab/small" },
      { id: 3, name: "lab/tiny" },
    ],
    gpu: { ...layout.gpu, run: RUN_OF_GPU },
  };
}

const incident = (given: Partial<FleetIncidentMark>): FleetIncidentMark => ({
  incidentId: 1,
  title: "GPU is lost",
  severity: "warning",
  gpuIds: [],
  nodeIds: [],
  ...given,
});

const strip = (layout: FleetLayout, incidents: readonly FleetIncidentMark[] | null = [], mostRuns = 10) =>
  prepareNodeStrip({ layout, incidents, mostRuns });

describe("the fleet as a strip", () => {
  it("groups nodes by the run that most of their GPUs work on, the largest first and those without one last, by host in order", () => {
    const { groups } = strip(fleet());
    expect(groups.map(({ title, label, kind }) => [title, label, kind])).toEqual([
      ["lab/large", "large", "run"],
      ["lab/small", "small", "run"],
      ["no run", "no run", "none"],
    ]);
    expect(groups.map(({ nodes }) => nodes)).toEqual([
      [0, 1, 2, 3, 4, 5],
      [6, 7, 8, 9],
      [10, 11],
    ]);
  });

  it("counts what is silent or cordoned and in no run to those without a run, and calls it spare nowhere", () => {
    const layout = fleet({ lastSampleAtMs: null }, 10);
    const cordoned = layout.nodes.map((node, index) => (index === 11 ? { ...node, cordoned: layout.nodes[4]?.cordoned ?? null } : node));
    const words = stripSummary(strip({ ...layout, nodes: cordoned }), layout);
    expect(words).toContain("9 in a run, 2 cordoned, 1 no data. By run: lab/large 6, lab/small 4, no run 2.");
    expect(words).not.toContain("spare");
  });

  it("lets the smallest runs stand together where there are more than fit", () => {
    const layout = fleet();
    const alone = { ...layout, gpu: { ...layout.gpu, run: layout.gpu.node.map((node) => (node < 8 ? 0 : node < 10 ? 1 : 2)) } };
    const { groups } = strip(alone, [], 2);
    expect(groups.map(({ title, nodes }) => [title, nodes.length])).toEqual([
      ["lab/large", 8],
      ["2 more runs", 4],
    ]);
    expect(strip(alone, [], 1).groups.map(({ title }) => title)).toEqual(["3 runs"]);
  });

  it("tells what is cordoned and what is silent from what works, and a cordon before silence", () => {
    const { states, counts } = strip(fleet({ lastSampleAtMs: 1_000_000 - 180_001 }, 7));
    expect([states[0], states[4], states[7], states[11]]).toEqual(["in-use", "cordoned", "no-data", "spare"]);
    expect(counts).toEqual({ "in-use": 8, spare: 2, cordoned: 1, "no-data": 1 });
    expect(strip(fleet({ lastSampleAtMs: null }, 4)).states[4]).toBe("cordoned");
    expect(strip(fleet({ lastSampleAtMs: 1_000_000 - 180_000 }, 7)).states[7]).toBe("in-use");
  });

  it("marks a node once, by its worst incident, the worst first; a GPU's by the node where it sits", () => {
    const layout = fleet();
    const gpu = layout.gpu.id[5] ?? "";
    const { marks } = strip(layout, [
      incident({ nodeIds: ["machine-9"], title: "NIC flaps" }),
      incident({ gpuIds: [gpu], title: "GPU is hot" }),
      incident({ nodeIds: ["machine-2", "somewhere else"], severity: "critical", title: "Node is lost" }),
    ]);
    expect(marks).toEqual([
      { node: 2, severity: "critical", text: "Node is lost" },
      { node: 9, severity: "warning", text: "NIC flaps" },
    ]);
  });

  it("says in words what it shows", () => {
    const layout = fleet();
    const shown = strip(layout, [incident({ nodeIds: ["machine-2"], severity: "critical", title: "Node is lost" })]);
    expect(stripSummary(shown, layout)).toBe(
      "Fleet of 12 nodes: 9 in a run, 2 spare, 1 cordoned. By run: lab/large 6, lab/small 4, no run 2. " +
        "Incidents on 1 node (1 critical): critical, n3: Node is lost.",
    );
    expect(stripSummary(strip(layout), layout)).toContain("No incident accuses a node.");
    expect(stripSummary(strip(layout, null), layout)).toMatch(/ Incidents are not known\.$/);
    expect(stripNodeTitle(strip(layout, null), layout, 0, 2)).toBe("n3, lab/large");
    expect(stripNodeTitle(shown, layout, 0, 2)).toBe("n3, lab/large, critical: Node is lost");
    expect(stripNodeTitle(shown, layout, 0, 4)).toBe("n5, cordoned: being mended");
  });
});

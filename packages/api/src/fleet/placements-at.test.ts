import type { PlacedNode, StoredAssignment } from "@trainwatch/store";
import { describe, expect, it } from "vitest";
import { buildLayout } from "./layout-core.ts";
import { placementsAt } from "./placements-at.ts";

function node(id: number, host: string, ...aliases: readonly string[]): PlacedNode {
  return { id, machineId: null, host, rack: null, cordonedAtMs: null, cordonReason: null, aliases: [...aliases, host] };
}

function assigned(rank: number, to: string): StoredAssignment {
  return { runId: 1, run: "lab/a", attempt: "1", ordinal: 1, startedAtMs: 0, endedAtMs: null, facts: { rank, node: to, gpuIndex: 0 } };
}

describe("placementsAt", () => {
  it("finds a node by its name as it was told, and as hosts are written", () => {
    const layout = buildLayout([node(1, "n1", "GPU-A07"), node(2, "gpu-b08")], [], new Map());
    const placed = placementsAt(
      layout,
      [assigned(0, "GPU-A07"), assigned(1, "GPU-B08"), assigned(2, "GPU-C09")],
      { runId: 1, attempt: "1" },
      1,
    );
    expect(placed.map(({ nodeId, host }) => [nodeId, host])).toEqual([
      ["name:n1", "n1"],
      ["name:gpu-b08", "gpu-b08"],
      [null, "GPU-C09"],
    ]);
  });
});

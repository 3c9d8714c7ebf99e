import type { PlacedNode } from "@trainwatch/store";
import { describe, expect, it } from "vitest";
import { buildLayout } from "./layout-core.ts";

function node(id: number, host: string): PlacedNode {
  return { id, machineId: null, host, rack: null, cordonedAtMs: null, cordonReason: null, aliases: [host] };
}

describe("a node's index", () => {
  it("is found by the name that a link or a finding from before hosts were lowered has, and of two that differ in case alone by its own", () => {
    const layout = buildLayout([node(1, "gpu-a07"), node(2, "gpu-b08"), node(3, "GPU-B08")], [], new Map());
    expect(["name:GPU-A07", "name:gpu-a07", "name:GPU-B08", "name:gpu-b08", "name:GPU-C09"].map((id) => layout.nodeIndex(id))).toEqual([
      0, 0, 2, 1, -1,
    ]);
  });
});

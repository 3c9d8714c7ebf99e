import { describe, expect, it } from "vitest";
import { gpuOfRank } from "./gpu-order.ts";

const NODE = ["GPU-0", "GPU-1", "GPU-2", "GPU-3"];
const NOBODY_KNOWS = { uuid: null, index: null };

describe("the GPU of a rank", () => {
  it.each([
    ["all of the node where nothing is said", 2, undefined, undefined, { uuid: "GPU-2", index: 2 }],
    ["the rank's place in CUDA's list", 1, "3,0", undefined, { uuid: "GPU-0", index: 0 }],
    ["the one device that each process sees as 0", 3, "1", undefined, { uuid: "GPU-1", index: 1 }],
    ["the rank's place in what the container was given", 0, undefined, "2,3", { uuid: "GPU-2", index: 2 }],
    ["E4: CUDA's index within what the container was given, not on the node", 0, "0,1", "2,3", { uuid: "GPU-2", index: 2 }],
    ["E4: the same by UUID, as Kubernetes gives them", 1, "0,1", "GPU-3,GPU-1", { uuid: "GPU-1", index: 1 }],
    ["CUDA's index on the node where a launcher has set both lists alike", 1, "2,3", "2,3", { uuid: "GPU-3", index: 3 }],
    ["CUDA's index on the node where the container was given all", 1, "0,1", "all", { uuid: "GPU-1", index: 1 }],
    ["CUDA's UUID whatever the container was given", 0, "GPU-3", "GPU-3,GPU-1", { uuid: "GPU-3", index: 3 }],
    ["nothing where the container says not what it was given", 0, "0,1", "void", NOBODY_KNOWS],
    ["nothing where the list is too short", 2, "0,1", undefined, NOBODY_KNOWS],
  ])("is %s", (_, localRank, cuda, container, gpu) => {
    expect(gpuOfRank(localRank, { cuda, container }, NODE)).toEqual(gpu);
  });
});

import { describe, expect, it } from "vitest";
import { metricTitle } from "./metric-title.ts";

describe("metricTitle", () => {
  it.each([
    ["loss", "Loss"],
    ["DCGM_FI_DEV_GPU_TEMP", "GPU temperature"],
    ["progress", "Progress of the run"],
    ["checkpoint", "Checkpoints"],
    ["nvlink errors", "NVLink errors"],
    ["my/own metric", "my/own metric"],
  ])("of %s is %s", (metric, title) => expect(metricTitle(metric)).toBe(title));
});

import { FLEET_FIELDS } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { boundsText, chosenFields } from "./field-words.ts";

const all = FLEET_FIELDS.map((field, index) => ({ ...field, series: index % 2 }));

describe("the list of fields", () => {
  it("finds a field by an older name, and puts those that are sent first", () => {
    expect(chosenFields(all, "dcgm_fi_dev_gpu_temp", "all").map(({ name }) => name)).toContain("DCGM_FI_DEV_GPU_TEMP_CELSIUS");
    const series = chosenFields(all, "", "all").map((field) => field.series);
    expect(series).toEqual(series.toSorted((a, b) => b - a));
  });

  it("shows those that are sent, or those that are not", () => {
    expect(chosenFields(all, "", "sent").every((field) => field.series > 0)).toBe(true);
    expect(chosenFields(all, "", "sent").length + chosenFields(all, "", "not-sent").length).toBe(all.length);
    expect(chosenFields(all, "no such field", "all")).toEqual([]);
  });

  it.each([
    [{ min: -40, max: 200 }, "−40 to 200"],
    [{ min: 0, max: null }, "from 0"],
    [{ min: null, max: 3_000 }, "up to 3,000"],
    [{ min: null, max: null }, "any"],
    [{ min: 0, max: 2 ** 40 }, "0 to 1.10 T"],
  ])("writes the bounds %o as %s", (bounds, text) => expect(boundsText(bounds)).toBe(text));
});

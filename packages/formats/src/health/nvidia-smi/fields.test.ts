import { fieldOf } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { ECC_SPANS } from "./ecc-fields.ts";
import { SMI_FIELDS } from "./fields.ts";

const UNITS: Readonly<Record<string, string>> = {
  "40 %": "%",
  "40 C": "°C",
  "40 W": "W",
  "40 MHz": "MHz",
  "40 MiB": "MiB",
  "40 us": "ns",
  "40 KB/s": "",
};

describe("fields of nvidia-smi", () => {
  it("are fields of a GPU in the catalogue, or nvidia-smi's own", () => {
    const metrics = [...SMI_FIELDS.map(({ metric }) => metric), ...ECC_SPANS.flatMap(({ metrics: each }) => Object.values(each))];
    for (const metric of metrics) {
      if (metric === null || metric.startsWith("nvidia_smi_pcie_")) continue;
      expect([metric, fieldOf(metric)?.name, fieldOf(metric)?.entity]).toEqual([metric, metric, "gpu"]);
    }
  });

  it("are read in the catalogue's unit", () => {
    for (const { metric, read } of SMI_FIELDS) {
      const accepted = Object.keys(UNITS).filter((text) => read(text).kind === "number");
      if (accepted.length === 0) continue;
      expect([metric, accepted.map((text) => UNITS[text])]).toEqual([metric, [fieldOf(metric)?.unit ?? ""]]);
    }
  });

  it("stand in one place only for each output", () => {
    for (const output of ["text", "xml", "csv"] as const) {
      const places = SMI_FIELDS.flatMap((field) => field[output]);
      expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([]);
    }
  });
});

import type { FleetMetricView } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { metricLabels, shownMetric } from "./metric-choice.ts";

const metric = (name: string, given: Partial<FleetMetricView> = {}): FleetMetricView => ({
  name,
  title: name,
  unit: "",
  entity: "gpu",
  kind: "gauge",
  digits: 0,
  domain: null,
  series: 8,
  ...given,
});

describe("the metric of the map", () => {
  const temperature = metric("DCGM_FI_DEV_GPU_TEMP_CELSIUS");
  const power = metric("DCGM_FI_DEV_BOARD_POWER_WATTS");

  it("is what the link names, else a temperature, else any of a GPU's", () => {
    expect(shownMetric(power.name, [power, temperature])).toBe(power);
    expect(shownMetric("gone", [power, temperature])).toBe(temperature);
    expect(shownMetric(undefined, [metric("node_load1", { entity: "node" }), power])).toBe(power);
    expect(shownMetric(undefined, [metric("none", { series: 0 })])).toBeNull();
  });

  it("is told apart by its field's name where two sources bring one quantity", () => {
    const labels = metricLabels([metric("a", { title: "Power" }), metric("b", { title: "Power" }), metric("c", { title: "Load" })]);
    expect(labels.map(({ label }) => label)).toEqual(["Power (a)", "Power (b)", "Load"]);
  });
});

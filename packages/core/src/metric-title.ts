import { fieldOf } from "./fleet/catalogue/index.ts";
import { metricEntry } from "./metrics.ts";

/** What detectors name as a finding's metric though no source logs it: what has not happened, and what several fields say together. */
const OBSERVED: Readonly<Record<string, string>> = {
  progress: "Progress of the run",
  checkpoint: "Checkpoints",
  "xid teardown": "XIDs of clearing up",
  "gpu series": "Readings of the GPU",
  activity: "GPU activity",
  temperature: "Temperature",
  "sm clock": "SM clock",
  "thermal slowdown": "Thermal slowdown",
  "power brake": "Power brake",
  "power cap": "Power cap",
  "ecc corrected": "Corrected ECC errors",
  "ecc uncorrected": "Uncorrected ECC errors",
  "ecc sram": "SRAM errors over the limit",
  "nvlink bandwidth": "NVLink bandwidth",
  "nvlink down": "NVLinks down",
  "nvlink errors": "NVLink errors",
  "nvlink recovery": "NVLink recoveries",
  "pcie replays": "PCIe replays",
  "pcie width": "PCIe link width",
  "port down": "Port down",
  "port errors": "Port errors",
  "port flaps": "Port flaps",
  xid: "XIDs",
  sxid: "SXids",
  nccl: "NCCL errors",
};

/** Title of what a finding speaks of, wherever one is shown: the catalogues' words for those that they know, the source's own name for the rest. */
export function metricTitle(metric: string): string {
  return metricEntry(metric)?.title ?? fieldOf(metric)?.title ?? OBSERVED[metric] ?? metric;
}

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FLEET_FIELDS, fieldOf, identifySeries, isReading, type SeriesIdentity } from "@trainwatch/core";
import { type ExpositionSample, expositionParser } from "@trainwatch/formats";
import { describe, expect, it } from "vitest";
import { CORPUS_FOLDER } from "./corpus-folder.ts";

/** What real exporters send, as the catalogue and the rules of identity read it. Counts of GPUs are those of a plain search for their labels. */
const FOLDER = join(CORPUS_FOLDER, "node_health");
const hasFolder = existsSync(FOLDER);

function textOf(file: string): string {
  return readFileSync(join(FOLDER, file), "utf8");
}

function samplesOf(file: string): readonly ExpositionSample[] {
  const samples: ExpositionSample[] = [];
  const parser = expositionParser({ sample: (sample) => samples.push(sample), issue: () => undefined }, { format: "text" });
  parser.push(new TextEncoder().encode(textOf(file)));
  parser.end();
  return samples;
}

function gpusOf(identities: readonly SeriesIdentity[]): ReadonlySet<string> {
  return new Set(identities.flatMap(({ entity }) => (entity?.kind === "gpu" ? [entity.id] : [])));
}

describe("exporters of the corpus", () => {
  it
    .skipIf(!hasFolder)
    .each([
      ["dcgm_exporter_2xT4_k8s.prom"],
      ["dcgm_exporter_a100_mig_4active.prom"],
      ["dcgm_exporter_a100_mig_disabled.prom"],
      ["dcgm_metrics_valid.prom"],
    ])("needs the corpus: every series of %s is of a GPU or one of its links, and no series is another's", (file) => {
    const identities = samplesOf(file)
      .filter(({ name }) => name.startsWith("DCGM_"))
      .map(({ name, labels }) => identifySeries(name, labels));
    expect(
      identities.filter(({ entity, labels }) => (entity?.kind !== "gpu" && entity?.kind !== "link") || Object.keys(labels).length > 0),
    ).toEqual([]);
    expect(new Set(identities.map(({ key }) => key)).size).toBe(identities.length);
    const plainly = new Set(
      [...textOf(file).matchAll(/UUID="([^"]+)"(?:[^}]*GPU_I_ID="([^"]+)")?/g)].map(([, uuid, instance]) => `${uuid}/${instance ?? ""}`),
    );
    expect(gpusOf(identities).size).toBe(plainly.size);
    // Under Kubernetes the only host name is that of the exporter's pod, which is no node.
    const hosts = new Set(identities.flatMap(({ node }) => node?.host ?? []));
    expect([...hosts]).toEqual(file === "dcgm_metrics_valid.prom" ? ["host1"] : []);
  });

  it.skipIf(!hasFolder)("needs the corpus: nvidia_gpu_exporter's bare UUIDs are GPUs, and its info metric says what they are", () => {
    const identities = samplesOf("nvidia_gpu_exporter_h100-80gb-hbm3__590.48.01_load.prom").map(({ name, labels }) =>
      identifySeries(name, labels),
    );
    expect([...gpusOf(identities)]).toEqual(["GPU-00000000-0000-0000-0000-000000000000"]);
    const info = identities.find(({ metric }) => metric === "nvidia_smi_gpu_info");
    expect(Object.fromEntries((info?.attributes ?? []).map(({ name, value }) => [name, value]))).toMatchObject({
      driver: "590.48.01",
      index: "0",
      model: "NVIDIA H100 80GB HBM3",
      pci: "00000000:00:09.0",
    });
  });

  it.skipIf(!hasFolder)("needs the corpus: node_exporter's ports are ports of their node, and its disks' UUIDs are no GPUs", () => {
    const identities = samplesOf("node_exporter_e2e_output.prom").map(({ name, labels }) =>
      identifySeries(name, { ...labels, instance: "n7:9100", job: "node" }),
    );
    expect(gpusOf(identities).size).toBe(0);
    const ports = new Set(identities.flatMap(({ entity }) => (entity?.kind === "port" ? [entity.id] : [])));
    expect([...ports].sort()).toEqual(["name:n7/port/i40iw0:1", "name:n7/port/mlx4_0:1", "name:n7/port/mlx4_0:2"]);
    expect(new Set(identities.map(({ key }) => key)).size).toBe(identities.length);
  });

  it.skipIf(!hasFolder)("needs the corpus: what healthy exporters send is within the catalogue's bounds", () => {
    for (const file of [
      "dcgm_exporter_2xT4_k8s.prom",
      "dcgm_exporter_a100_mig_disabled.prom",
      "nvidia_gpu_exporter_h100-80gb-hbm3__590.48.01_load.prom",
      "node_exporter_e2e_output.prom",
    ]) {
      const outside = samplesOf(file).filter(({ name, value }) => {
        const field = fieldOf(name);
        return field !== null && Number.isFinite(value) && !isReading(field, value);
      });
      expect([file, outside.map(({ name, value }) => [name, value])]).toEqual([file, []]);
    }
  });

  it.skipIf(!hasFolder)(
    "needs the corpus: DCGM's own list of fields holds a name of every DCGM field of the catalogue but one that came later",
    () => {
      const listed = new Set(textOf("dcgm_all_field_names.txt").split("\n"));
      const unlisted = FLEET_FIELDS.filter(
        ({ name, aliases }) => name.startsWith("DCGM_FI_") && ![name, ...aliases].some((each) => listed.has(each)),
      );
      expect(unlisted.map(({ name }) => name)).toEqual(["DCGM_FI_DEV_FABRIC_HEALTH_SUMMARY"]);
    },
  );
});

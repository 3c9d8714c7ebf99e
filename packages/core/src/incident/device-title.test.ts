import { describe, expect, it } from "vitest";
import type { Finding } from "../finding.ts";
import { describeIncident } from "./describe.ts";
import { aFinding, aFleetFinding, aHang, anXid } from "./finding.fixture.ts";
import type { FleetSaid } from "./finding.fixture.ts";
import { saySubject } from "./subject-words.ts";

const UUID = "GPU-9b1f0c2e-7777-8888";
const GPU = { kind: "gpu", id: UUID } as const;
const titleOf = (...findings: readonly Finding[]): string => describeIncident({ severity: "critical", findings }).title;
const fleet = (said: Omit<FleetSaid, "atMs" | "node">): Finding => aFleetFinding({ atMs: 1_000, node: "c11-n07", ...said });
const rank = (over: Partial<Omit<Finding, "onsetStep">>): Finding =>
  aFinding({
    onsetStep: 50,
    subject: { kind: "rank", id: "37" },
    place: { rank: 37, gpuId: UUID, nodeId: "c11-n07", host: "c11-n07" },
    ...over,
  });

describe("titles of what accuses a part", () => {
  it.each<[Finding, string]>([
    [fleet({ subject: GPU, facts: [{ fact: "gpu-error", value: 79 }] }), "XID 79 (GPU has fallen off the bus) on GPU-9b1f…, node c11-n07"],
    [fleet({ subject: GPU, facts: [{ fact: "gpu-error", value: 999 }] }), "XID 999 on GPU-9b1f…, node c11-n07"],
    [fleet({ facts: [{ fact: "gpu-error", value: 74 }] }), "XID 74 (NVLink error) on node c11-n07"],
    [
      fleet({ subject: { kind: "switch", id: "c11-n07/switch/0" }, facts: [{ fact: "gpu-error", value: 12_028 }] }),
      "SXid 12028 on NVSwitch 0 of node c11-n07",
    ],
    [fleet({ subject: GPU, facts: [{ fact: "gpu-lost", value: null }] }), "GPU-9b1f…, node c11-n07 is lost"],
    [fleet({ subject: GPU, facts: [{ fact: "gpu-lost", value: null }], endMs: 9_000 }), "GPU-9b1f…, node c11-n07 was lost"],
    [fleet({ facts: [{ fact: "node-lost", value: null }] }), "Node c11-n07 is lost: no data comes from it"],
    [
      fleet({ subject: { kind: "link", id: `${UUID}/link/5` }, facts: [{ fact: "link-down", value: null }] }),
      "NVLink 5 of GPU-9b1f…, node c11-n07 is down",
    ],
    [
      fleet({ subject: { kind: "port", id: "c11-n07/port/mlx5_0:1" }, facts: [{ fact: "link-errors", value: 3.25 }] }),
      "Port mlx5_0:1 of node c11-n07 has errors, 3.3 a minute",
    ],
    [
      fleet({ subject: { kind: "port", id: "c11-n07/port/mlx5_0:1" }, facts: [{ fact: "link-errors", value: 1_200 }], endMs: 9_000 }),
      "Port mlx5_0:1 of node c11-n07 had errors, 1,200 a minute",
    ],
    [fleet({ subject: GPU, facts: [{ fact: "throttled", value: 0.4 }] }), "GPU-9b1f…, node c11-n07 is throttled 40 % of the time"],
    [fleet({ subject: GPU, facts: [{ fact: "hot", value: 14 }] }), "GPU-9b1f…, node c11-n07 is 14 °C hotter than its peers"],
    [
      fleet({
        subject: GPU,
        facts: [{ fact: "node-memory-error", value: 0 }],
        summary: "c11-n07 GPU 3 counted 1 uncorrectable memory error.",
      }),
      "c11-n07 GPU 3 counted 1 uncorrectable memory error",
    ],
    [
      fleet({ subject: GPU, facts: [{ fact: "ranks-behind", value: 1 }], summary: "c11-n07 GPU 3 rests while its peers work." }),
      "c11-n07 GPU 3 rests while its peers work",
    ],
    [
      fleet({ subject: { kind: "logger", id: "fleet source" }, summary: "40 nodes fell silent at once: a source is down." }),
      "40 nodes fell silent at once: a source is down",
    ],
    [rank({ metric: "grad_norm", facts: [{ fact: "rank-deviates", value: 3 }] }), "Rank 37 (GPU-9b1f…, c11-n07) deviates in gradient norm"],
    [
      rank({ metric: "grad_norm", facts: [{ fact: "rank-deviates", value: 3 }], state: "recovered", endStep: 60 }),
      "Rank 37 (GPU-9b1f…, c11-n07) deviated in gradient norm",
    ],
    [
      rank({ metric: "param_hash", facts: [{ fact: "replica-hash-mismatch", value: 1 }] }),
      "Rank 37 (GPU-9b1f…, c11-n07) holds other parameters than its replicas",
    ],
    [
      rank({ metric: "compute_time", facts: [{ fact: "rank-compute-slow", value: 1.31 }] }),
      "Rank 37 (GPU-9b1f…, c11-n07) computes ×1.3 as long as its peers",
    ],
    [
      rank({ metric: "compute_time", subject: { kind: "node", id: "c11-n07" }, facts: [{ fact: "node-compute-slow", value: null }] }),
      "Node c11-n07 computes slower than its peers",
    ],
    [
      rank({
        metric: "compute_time",
        subject: { kind: "stage", id: "7" },
        facts: [{ fact: "last-stage-slow", value: 1.2 }],
        summary: "The last stage computes longer.",
      }),
      "The last stage computes longer",
    ],
    [aHang(187, 1_000), "No step for 2 min at 187; ranks 3, 7 are behind"],
    [
      aFinding({ onsetStep: 10, metric: "checkpoint", detector: "checkpoint-late", summary: "No checkpoint for 2,400 steps." }),
      "No checkpoint for 2,400 steps",
    ],
    [
      aFinding({ onsetStep: 10, metric: "data_time", facts: [{ fact: "data-wait", value: 0.3 }], summary: "All ranks wait for data." }),
      "All ranks wait for data",
    ],
  ])("%#: %s", (finding, title) => {
    expect(titleOf(finding)).toBe(title);
  });

  it("says what came of it", () => {
    const dead = anXid(79, "c11-n07", 1_000, { subject: GPU });
    const loss = aFinding({ onsetStep: 48_210, state: "non-finite", severity: "critical", onsetTimeMs: 2_000 });
    const lost = ["a", "b"].map((node) =>
      aFleetFinding({ atMs: 3_000, node, facts: [{ fact: "node-lost", value: null }], detector: "lost-node" }),
    );
    expect(titleOf(dead, loss, ...lost)).toBe(
      "XID 79 (GPU has fallen off the bus) on GPU-9b1f…, node c11-n07: loss non-finite at step 48,210; 2 nodes lost",
    );
  });

  it("counts the lines of a teardown that is one finding", () => {
    const dead = anXid(79, "c11-n07", 1_000, { subject: GPU });
    const torn: Finding = { ...fleet({ subject: GPU, severity: "info" }), metric: "xid teardown", peakValue: 168_924 };
    expect(titleOf(dead, torn)).toBe("XID 79 (GPU has fallen off the bus) on GPU-9b1f…, node c11-n07: teardown, 168,924 XIDs 45 or 43");
  });

  it("charts an incident by the worst series of its run, and by the loss where no series was read", () => {
    const dead = anXid(79, "c11-n07", 1_000, { subject: GPU });
    expect(
      describeIncident({ severity: "critical", findings: [dead, aHang(10, 2_000), aFinding({ onsetStep: 9, metric: "step_time" })] }),
    ).toMatchObject({
      chartMetric: "step_time",
      lead: { id: dead.id },
      findingState: "stalled",
    });
    expect(describeIncident({ severity: "critical", findings: [dead] }).chartMetric).toBe("loss");
    expect(describeIncident({ severity: "critical", findings: [aHang(10, 2_000)] }).chartMetric).toBe("loss");
  });

  it("names a rank of which nobody has told where it runs, and a node by its name", () => {
    expect(saySubject({ subject: { kind: "rank", id: "37" }, place: null })).toBe("Rank 37");
    expect(saySubject({ subject: { kind: "node", id: "name:c11-n07" }, place: null })).toBe("Node c11-n07");
    expect(saySubject({ subject: { kind: "gpu", id: "pci:0000:3b:00" }, place: null })).toBe("pci:0000:3b:00");
    expect(saySubject({ subject: { kind: "run", id: "lab/base" }, place: null })).toBe("lab/base");
  });
});

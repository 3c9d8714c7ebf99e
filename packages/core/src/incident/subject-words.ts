import type { Finding, Subject } from "../finding.ts";
import { gpuOf } from "../fleet/gpu-id.ts";
import { gpuOfFinding, nodeOfFinding } from "./place.ts";

/** `GPU-9b1f…`; an id that is no UUID as it is. */
export function sayGpu(id: string): string {
  return /^(?:GPU|MIG)-[0-9a-f]{8}/i.test(id) ? `${id.slice(0, 8)}…` : id;
}

/** An accused one by kind and id alone: `rank 9`, `stage 3`, `GPU-9b1f…`. A number by itself names nobody. */
export function sayAccused(kind: string | null, id: string): string {
  switch (kind) {
    case "rank":
    case "stage":
      return `${kind} ${id}`;
    case "link":
      return `NVLink ${id.slice(id.lastIndexOf("/") + 1)} of ${sayGpu(gpuOf(id))}`;
    case "node":
      return sayNodeId(id);
    default:
      return sayGpu(id);
  }
}

/** A node by its host name where that is known, else by its id. */
export function sayNode(finding: Pick<Finding, "place" | "subject">): string | null {
  const node = nodeOfFinding(finding);
  const name = finding.place?.host ?? node;
  return name === null ? null : sayNodeId(name);
}

/** `name:c11-n07` is a node that nobody has told the machine id of. A machine id is as long as a UUID, and is shortened like one. */
export function sayNodeId(id: string): string {
  if (id.startsWith("name:")) return id.slice(5);
  return /^[0-9a-f]{32}$/.test(id) ? `${id.slice(0, 8)}…` : id;
}

/** Who is accused, with where it is: `GPU-9b1f…, node c11-n07`, `Rank 37 (GPU-9b1f…, c11-n07)`, `NVLink 5 of GPU-9b1f…, node c11-n07`. */
export function saySubject(finding: Pick<Finding, "place" | "subject">): string {
  const { subject } = finding;
  const node = sayNode(finding);
  const onNode = node === null ? "" : `, node ${node}`;
  switch (subject.kind) {
    case "gpu":
      return `${sayGpu(subject.id)}${onNode}`;
    case "link":
      return `NVLink ${lastPart(subject)} of ${sayGpu(gpuOf(subject.id))}${onNode}`;
    case "port":
      return `Port ${lastPart(subject)}${node === null ? "" : ` of node ${node}`}`;
    case "switch":
      return `NVSwitch ${lastPart(subject)}${node === null ? "" : ` of node ${node}`}`;
    case "node":
      return `Node ${node ?? sayNodeId(subject.id)}`;
    case "rank":
      return `Rank ${finding.place?.rank ?? lastPart(subject)}${rankPlace(finding, node)}`;
    case "stage":
      return `Pipeline stage ${lastPart(subject)}`;
    case "run":
    case "logger":
      return subject.id;
  }
}

function rankPlace(finding: Pick<Finding, "place" | "subject">, node: string | null): string {
  const gpu = gpuOfFinding(finding);
  const parts = [...(gpu === null ? [] : [sayGpu(gpu)]), ...(node === null ? [] : [node])];
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

function lastPart({ id }: Subject): string {
  return id.slice(id.lastIndexOf("/") + 1);
}

import type { Finding, Subject } from "../finding.ts";
import { gpuOf } from "../fleet/gpu-id.ts";

/** The node a finding is about: as the server has placed it, else as the subject's own id says; null where nobody knows. */
export function nodeOfFinding({ place, subject }: Pick<Finding, "place" | "subject">): string | null {
  if (place?.nodeId !== undefined && place.nodeId !== null) return place.nodeId;
  switch (subject.kind) {
    case "node":
      return subject.id;
    case "port":
    case "switch": {
      const end = subject.id.search(/\/(?:port|switch)\//); // `<node>/port/mlx5_0:1`
      return end < 0 ? null : subject.id.slice(0, end);
    }
    default:
      return null;
  }
}

/** The GPU a finding is about, by UUID; null where it is about none, or nobody has told whose. */
export function gpuOfFinding({ place, subject }: Pick<Finding, "place" | "subject">): string | null {
  if (subject.kind === "gpu" || subject.kind === "link") return gpuOf(subject.id);
  return place?.gpuId === undefined || place.gpuId === null ? null : gpuOf(place.gpuId);
}

/** Whether it is about a piece of the fleet and not about a run: its fault is the same whatever runs there. */
export function isFleetSubject(subject: Subject): boolean {
  return (
    subject.kind === "gpu" || subject.kind === "node" || subject.kind === "link" || subject.kind === "port" || subject.kind === "switch"
  );
}

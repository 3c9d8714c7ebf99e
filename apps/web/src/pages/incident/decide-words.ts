import type { Decision, IncidentDetail } from "@trainwatch/core";
import { formatCount, formatGpuHours } from "@trainwatch/ui";

type Named = Pick<IncidentDetail, "runName" | "metadata" | "action">;

/** "Accept “Roll back to 48,000” for llm-405b on fjord-1?" */
export function decideQuestion(incident: Named, verdict: Decision["verdict"]): string {
  const { cluster } = incident.metadata;
  const named = incident.runName ?? "the fleet";
  const where = cluster === null ? `${named} (cluster not told)` : `${named} on ${cluster}`;
  return `${verdict === "accepted" ? "Accept" : "Decline"} “${incident.action?.text ?? "the proposal"}” for ${where}?`;
}

/** What follows from it, and what does not: Trainwatch records, it does not act. */
export function consequence(incident: Pick<IncidentDetail, "advice" | "metadata">, verdict: Decision["verdict"]): string {
  if (verdict === "declined") return "The proposal stays on the record as declined, with your reason. Nothing in the run changes.";
  const { advice, metadata } = incident;
  const parts: string[] = [];
  if (advice !== null && advice.lostSteps !== null && advice.lostSteps > 0) {
    const cost = advice.lostGpuHours === null ? "" : `, ${formatGpuHours(advice.lostGpuHours).text} GPU-h`;
    const gpus = metadata.gpus === null ? "" : ` on ${formatCount(metadata.gpus, "GPU")}`;
    parts.push(`It throws away ${formatCount(advice.lostSteps, "step")}${gpus}${cost}.`);
  }
  parts.push("Nothing runs by itself: you restart the run, Trainwatch records the decision.");
  return parts.join(" ");
}

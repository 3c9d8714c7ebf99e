import { sayAccused, sayGpu, sayInteger, sayNodeId } from "@trainwatch/core";
import type { Advice } from "@trainwatch/core";

/** The action as a title: verb, object, checkpoint. `Roll back to 48,000, skip 48,160 to 48,360`, `Pull GPU-9b1f…, roll back to 48,000`. */
export function describeAction(advice: Advice): string {
  const checkpoint = advice.checkpointStep === null ? null : sayInteger(advice.checkpointStep);
  const skip =
    advice.skipFromStep === null || advice.skipToStep === null
      ? null
      : `${sayInteger(advice.skipFromStep)} to ${sayInteger(advice.skipToStep)}`;
  switch (advice.action) {
    case "wait":
      return advice.waitUntilStep === null ? "Wait: nothing to do" : `Wait, look again at step ${sayInteger(advice.waitUntilStep)}`;
    case "rollback":
      if (advice.turningPointStep !== undefined && checkpoint !== null)
        return `Keep step ${checkpoint}: held-out score falls after ${sayInteger(advice.turningPointStep)}`;
      return `Roll back${checkpoint === null ? "" : ` to ${checkpoint}`}${skip === null ? "" : `, skip ${skip}`}`;
    case "skip-data":
      return `Skip ${skip ?? "the data"}${checkpoint === null ? "" : ` from checkpoint ${checkpoint}`}`;
    case "lower-lr":
      return `Lower the learning rate${checkpoint === null ? "" : ` from checkpoint ${checkpoint}`}`;
    case "replay":
      return `Replay the recorded step${subjects(advice, "away from")}`;
    case "isolate":
      return `Pull${subjects(advice, "") || " the suspect"}${checkpoint === null ? "" : `, roll back to ${checkpoint}`}`;
    case "investigate":
      return `Investigate${subjects(advice, "")}`;
  }
}

function subjects(advice: Advice, preposition: string): string {
  return advice.subjects.length === 0
    ? ""
    : ` ${preposition === "" ? "" : `${preposition} `}${advice.subjects.map(saySubjectId).join(", ")}`;
}

/** A title must show the checkpoint too, which a whole UUID would push out of sight; the suspects stand beside it with theirs. */
function saySubjectId(id: string): string {
  if (id.includes("/link/")) return sayAccused("link", id);
  return sayGpu(sayNodeId(id));
}

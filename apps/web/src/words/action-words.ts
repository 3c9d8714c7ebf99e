import { sayShare, type Action, type Advice } from "@trainwatch/core";
import { confidenceWord } from "./incident-words.ts";

export const ACTION_WORDS = {
  wait: "Wait",
  rollback: "Roll back",
  "skip-data": "Skip data",
  "lower-lr": "Lower the learning rate",
  replay: "Replay",
  isolate: "Isolate",
  investigate: "Investigate",
} as const satisfies Record<Action, string>;

/**
 * How sure an action is, and of what: "likely: best in 86 % of draws", "strong, 97 %" of the hardware that is to be pulled. To look further is no choice
 * among actions: of it is said only whether there is a cause to look into.
 */
export function surenessWord({ action, confidence }: Pick<Advice, "action" | "confidence">): string | null {
  if (action === "investigate") return confidence.word === "not settled" ? "cause not settled" : null;
  if (confidence.share === null || action === "isolate" || action === "replay") return confidenceWord(confidence);
  return `${confidence.word}: best in ${sayShare(confidence.share)} of draws`;
}

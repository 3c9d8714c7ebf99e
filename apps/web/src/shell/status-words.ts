import type { SystemStatus } from "@trainwatch/core";
import { formatCount, type Mark } from "@trainwatch/ui";
import type { ContactState } from "../data/contact.ts";

export interface LinkWord {
  readonly mark: Mark;
  readonly word: string;
  readonly title: string;
}

/** Live only when the stream is open: a page that asks every few seconds says so. */
export function linkWord({ link, stream }: ContactState): LinkWord {
  if (link === "lost") return { mark: "warning", word: "Offline", title: "The server cannot be reached; what is shown is old" };
  if (link === "connecting") return { mark: "pending", word: "Connecting", title: "Waiting for the first answer" };
  if (stream === "open") return { mark: "ok", word: "Live", title: "New points appear as they arrive" };
  if (stream === "connecting") return { mark: "pending", word: "Connecting", title: "Opening the live stream" };
  return { mark: "unknown", word: "Polling", title: "The live stream is down; the page asks every 5 s instead" };
}

/** "2 detectors on 3 runs". */
export function blindSentence(blind: SystemStatus["blind"]): string {
  const detectors = new Set(blind.map((entry) => entry.detector)).size;
  const runs = new Set(blind.map((entry) => entry.runId)).size;
  return `${formatCount(detectors, "detector")} on ${formatCount(runs, "run")}`;
}

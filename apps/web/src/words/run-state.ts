import type { FindingState, RunState, RunSummary } from "@trainwatch/core";
import { formatCount, type Mark } from "@trainwatch/ui";

export interface StateWord {
  readonly mark: Mark;
  readonly word: string;
  /** What stands behind the word. */
  readonly title: string;
}

const FINDING_WORDS = {
  ongoing: "Off baseline",
  recovered: "Recovered",
  shifted: "Shifted",
  diverged: "Diverged",
  "non-finite": "Non-finite",
  stalled: "Stalled",
} as const satisfies Record<FindingState, string>;

export const RUN_STATE_WORDS = {
  running: "Running",
  silent: "Silent",
  stalled: "Stalled",
  crashed: "Crashed",
  finished: "Finished",
} as const satisfies Record<RunState, string>;

/** How a run stands, in one word and one shape. "OK" is claimed only where a detector has looked and found nothing. */
export function runStateWord(run: Pick<RunSummary, "state" | "worst" | "watched" | "openOfEarlier">): StateWord {
  const state = standing(run);
  const { openOfEarlier: earlier } = run;
  // They want an answer, and say nothing of how it stands now.
  return earlier === 0 ? state : { ...state, title: `${state.title}; ${formatCount(earlier, "open incident")} of earlier attempts` };
}

function standing(run: Pick<RunSummary, "state" | "worst" | "watched">): StateWord {
  if (run.worst !== null) return { mark: run.worst.severity, word: FINDING_WORDS[run.worst.state], title: run.worst.summary };
  const word = RUN_STATE_WORDS[run.state];
  switch (run.state) {
    case "crashed":
      return { mark: "critical", word, title: "The source said that it crashed" };
    case "stalled":
      return { mark: "warning", word, title: "No step for longer than the hang limit" };
    case "silent":
      return { mark: "unknown", word, title: "No data for longer than expected; it may still be running" };
    case "running":
    case "finished":
      return run.watched
        ? { mark: "ok", word, title: "Watched, and no open finding" }
        : { mark: "unknown", word: `${word}, not judged`, title: "Too few points so far for a detector to speak" };
  }
}

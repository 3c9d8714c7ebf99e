import type { Action } from "@trainwatch/core";

export const ACTION_WORDS = {
  wait: "Wait",
  rollback: "Roll back",
  "skip-data": "Skip data",
  "lower-lr": "Lower the learning rate",
  replay: "Replay",
  isolate: "Isolate",
  investigate: "Investigate",
} as const satisfies Record<Action, string>;

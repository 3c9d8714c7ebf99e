import type { CheckpointState } from "@trainwatch/core";
import type { Mark } from "@trainwatch/ui";

/** Whether weights were looked at is told apart: "complete" alone says that nobody has verified them. */
export const CHECKPOINT_WORDS = {
  verified: { mark: "ok", word: "verified" },
  unchecked: { mark: "unknown", word: "not checked" },
  incomplete: { mark: "warning", word: "incomplete" },
} as const satisfies Record<CheckpointState, { readonly mark: Mark; readonly word: string }>;

import type { Candidate } from "./candidates.ts";

/** Rows that leave room for the decision below on one screen. */
const ROWS = 6;
/** Of them at least so many older than the suggested one: the choice is between it and those. */
const OLDER = 2;

/** The rows around the suggested checkpoint, else around the newest that could be taken; the others are asked for. */
export function shownCandidates(candidates: readonly Candidate[]): readonly Candidate[] {
  const suggested = candidates.findIndex((candidate) => candidate.suggested);
  const anchor = suggested === -1 ? candidates.findIndex((candidate) => !candidate.refused) : suggested;
  const end = Math.min(candidates.length, Math.max(ROWS, anchor + 1 + OLDER));
  return candidates.slice(Math.max(0, end - ROWS), end);
}

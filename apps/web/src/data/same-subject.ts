/** What an answer is of, whatever its window. */
export interface Subject {
  readonly metric?: string;
  readonly entityIds?: readonly string[];
  readonly nodeId?: string;
  readonly runId?: number;
}

/**
 * Placeholder of a question about a window: the answer before stays on show while its window moves, and no longer where it was of another metric,
 * node or run, whose numbers would stand under a wrong name.
 */
export function keepOfSameSubject(subject: Subject | null) {
  return <T>(answer: T | undefined, asked?: { readonly queryKey: readonly unknown[] }): T | undefined =>
    subject !== null && isSameSubject(inputOf(asked?.queryKey[1]), subject) ? answer : undefined;
}

export function isSameSubject(before: unknown, now: Subject): boolean {
  return typeof before === "object" && before !== null && subjectText(before) === subjectText(now);
}

function subjectText({ metric, entityIds, nodeId, runId }: Subject): string {
  return JSON.stringify([metric, entityIds, nodeId, runId]);
}

function inputOf(options: unknown): unknown {
  return typeof options === "object" && options !== null && "input" in options ? options.input : undefined;
}

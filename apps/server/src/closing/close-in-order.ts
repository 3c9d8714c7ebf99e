import { endsWithin } from "./ends-within.ts";

/** One thing that a server has opened and must end. */
export interface CloseStep {
  /** As a person reads it: `the workers`. */
  readonly what: string;
  /** It is waited for so long; then the next step comes all the same. */
  readonly limitMs: number;
  close(): Promise<void>;
}

/**
 * Ends one after another, each within its own time: a database that does not answer, or a step that fails, keeps none of the others from
 * being ended, nor the process from its end.
 * @returns a sentence without its full stop for each that has not ended in order; none where all have
 */
export async function closeInOrder(steps: readonly CloseStep[]): Promise<readonly string[]> {
  const left: string[] = [];
  for (const { what, limitMs, close } of steps) {
    try {
      if (!(await endsWithin(limitMs, close))) left.push(`${what} did not end within ${limitMs / 1_000} s`);
    } catch (error) {
      left.push(`${what} did not end in order: ${(error instanceof Error ? error.message : String(error)).replace(/\.$/, "")}`);
    }
  }
  return left;
}

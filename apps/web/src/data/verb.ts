import { failureOf, type Failure } from "./failure.ts";

/** A verb as a page uses it: send it, see that it is on its way, read why it was refused. */
export interface Verb<Input, Output = unknown> {
  /** `then` is called only on success. */
  readonly send: (input: Input, then?: (output: Output) => void) => void;
  readonly isSending: boolean;
  readonly failure: Failure | null;
  readonly reset: () => void;
}

interface MutationLike<Input, Output> {
  readonly mutate: (input: Input, options?: { readonly onSuccess?: (output: Output) => void }) => void;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly reset: () => void;
}

export function verbOf<Input, Output>(mutation: MutationLike<Input, Output>): Verb<Input, Output> {
  return {
    send: (input, then) => mutation.mutate(input, then === undefined ? {} : { onSuccess: then }),
    isSending: mutation.isPending,
    failure: mutation.error === null || mutation.error === undefined ? null : failureOf(mutation.error),
    reset: mutation.reset,
  };
}

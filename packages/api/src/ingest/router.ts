import type { PushInput } from "@trainwatch/core";
import { ingestVerb, router } from "../procedures.ts";
import { pushEvals } from "./evals.ts";
import { pushEvents } from "./events.ts";
import { frame } from "./frame.ts";
import { known } from "./known.ts";
import { parsePush } from "./parse-push.ts";
import type { ParsedPush } from "./parsed-push.ts";
import { pushSamples } from "./push.ts";

/** Our own check in the form that tRPC takes; `types` says what clients may send and is never there. */
const pushInput: {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => { readonly value: ParsedPush };
    readonly types?: { readonly input: PushInput; readonly output: ParsedPush };
  };
} = { "~standard": { version: 1, vendor: "trainwatch", validate: (value) => ({ value: parsePush(value) }) } };

export const ingestRouter = router({
  /** Takes samples and facts of a run; see {@link pushSamples}. */
  push: ingestVerb.input(pushInput).mutation(({ ctx, input }) => pushSamples(ctx, input)),
  evals: pushEvals,
  events: pushEvents,
  frame,
  known,
});

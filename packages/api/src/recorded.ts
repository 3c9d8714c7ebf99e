import type { Records } from "@trainwatch/store";
import type { Actor } from "./auth/actor.ts";
import type { ApiContext } from "./context.ts";

export type VerbContext = ApiContext & { readonly actor: Actor };

export interface Recorded<Answer> {
  readonly answer: Answer;
  /** What the audit keeps about it beside who, when and on what. */
  readonly details: Readonly<Record<string, unknown>>;
  /** `incident:12`; for things that come to be by the verb and whose id is only known afterwards. */
  readonly target: string;
}

/** What a mutating verb does and the audit row that says so: one transaction, both or neither. */
export function recorded<Answer>(ctx: VerbContext, verb: string, act: (records: Records) => Promise<Recorded<Answer>>): Promise<Answer> {
  return ctx.store.records.transaction(async (records) => {
    const { answer, details, target } = await act(records);
    await records.audit.append({ atMs: ctx.now(), actor: ctx.actor.name, verb, target, details });
    return answer;
  });
}

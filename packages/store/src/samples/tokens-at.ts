import type pg from "pg";
import { tokenMaps } from "./axis-source.ts";
import { readRunFacts } from "./dictionary.ts";

/** A step of an attempt of a run. */
export interface AttemptStep {
  readonly attempt: string;
  readonly step: number;
}

/**
 * Tokens that weights have seen at steps of attempts: by the logged count, else by tokens a step; null where the run tells neither. Of an attempt that has
 * sent no sample only the tokens a step can tell. Expects a read transaction.
 */
export async function tokensAt(client: pg.ClientBase, runId: number, places: readonly AttemptStep[]): Promise<readonly (number | null)[]> {
  const facts = await readRunFacts(client, runId);
  if (facts === null) return places.map(() => null);
  const maps = await tokenMaps(client, runId, facts);
  const ids = new Map(facts.attempts.map(({ name, id }) => [name, id]));
  return places.map(({ attempt, step }) => {
    const id = ids.get(attempt);
    if (id === undefined) return facts.tokensPerStep === null ? null : step * facts.tokensPerStep;
    return maps.get(id)?.at(step) ?? null;
  });
}

import type pg from "pg";
import { inTransaction } from "../pool/index.ts";
import { askOn } from "./ask.ts";
import type { Evaluations } from "./contract.ts";
import { pushPart } from "./push-part.ts";
import { readResults } from "./read-results.ts";
import { readSets } from "./read-sets.ts";
import { readTexts } from "./read-texts.ts";

export function createEvaluations(pool: pg.Pool): Evaluations {
  return {
    push: (push, bodyHash, nowMs) => inTransaction(pool, "write", (client) => pushPart(client, push, bodyHash, nowMs)),
    columns: (scorecardIds, task) =>
      inTransaction(pool, "read", async (client) => {
        const results = await readResults(askOn(client), scorecardIds, task ?? null);
        return { results, ...(await readSets(client, { scorecardIds, task: task ?? null, results })) };
      }),
    texts: (setId, keys) => inTransaction(pool, "read", (client) => readTexts(client, setId, keys)),
  };
}

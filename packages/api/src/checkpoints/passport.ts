import type { Passport } from "@trainwatch/core";
import { z } from "zod";
import { required } from "../not-found.ts";
import { idInput } from "../page-input.ts";
import { readVerb } from "../procedures.ts";
import { passportDecisions } from "./passport-decisions.ts";
import { passportDoubts } from "./passport-doubts.ts";
import { passportEvents } from "./passport-events.ts";
import { passportFacts } from "./passport-facts.ts";
import { passportGpus } from "./passport-gpus.ts";
import { passportLineage, passportSkipped } from "./passport-lineage.ts";
import { passportResults } from "./passport-results.ts";
import { passportVerdicts } from "./passport-verdicts.ts";

/** All that is known of one checkpoint: what its weights have seen, how they score, what people decided; and what is not known. */
export const checkpointPassport = readVerb
  .input(z.object({ checkpointId: idInput }))
  .query(async ({ ctx, input: { checkpointId } }): Promise<Passport> => {
    const { records } = ctx.store;
    const stored = required(await records.checkpoints.get(checkpointId), "checkpoint", checkpointId);
    const facts = await passportFacts(ctx, stored);
    const gpus = passportGpus(facts);
    return {
      checkpoint: stored.checkpoint,
      checkpointId,
      run: stored.run,
      ...(await records.checkpoints.neighbours(stored)),
      tokens: facts.tokens,
      turningPointStep: facts.turn.step,
      verdicts: passportVerdicts(facts, gpus),
      lineage: passportLineage(facts),
      skipped: passportSkipped(facts),
      events: passportEvents(facts),
      eventTotal: facts.events.total,
      gpus,
      scorecardId: facts.cards[0]?.scorecardId ?? null,
      results: await passportResults(records, facts),
      against: facts.compared?.release.columns[0]?.model ?? null,
      decisions: await passportDecisions(records, facts),
      doubts: passportDoubts(facts),
    };
  });

import { textSchema, type DetectorView } from "@trainwatch/core";
import { DETECTOR_QUALITY, QUALITY_COMMAND } from "@trainwatch/detect";
import { z } from "zod";
import { required } from "../not-found.ts";
import { idInput } from "../page-input.ts";
import { readVerb } from "../procedures.ts";
import { rulesInForce, type RulesInForce } from "../rules/rules-in-force.ts";
import { DETECTOR_ENTRIES, type CatalogueEntry } from "./entries.ts";
import { qualityWords } from "./quality-words.ts";

/** Whose values in force are asked for: a run's (in its own cluster), a cluster's, or what holds for everybody. */
const catalogueInput = z
  .object({ runId: idInput.nullable().default(null), cluster: textSchema.min(1).max(256).nullable().default(null) })
  .prefault({});

/** Every detector with what it finds, what it rests on, how well it does, and what is in force of it. */
export const detectorCatalogue = readVerb.input(catalogueInput).query(async ({ ctx, input }): Promise<readonly DetectorView[]> => {
  const { records } = ctx.store;
  const cluster =
    input.runId === null ? input.cluster : required(await records.runs.facts(input.runId), "run", input.runId).metadata.cluster;
  const inForce = rulesInForce(await records.rules.list(), { runId: input.runId, cluster, nowMs: ctx.now() });
  return DETECTOR_ENTRIES.map((entry) => detectorView(entry, inForce));
});

function detectorView({ parameters, ...entry }: CatalogueEntry, inForce: RulesInForce): DetectorView {
  const held = inForce.ruleOf(entry.id);
  const overrides = inForce.parameters[entry.id] ?? {};
  return {
    id: entry.id,
    family: entry.family,
    version: entry.version,
    title: entry.title,
    finds: entry.finds,
    source: entry.source,
    reads: entry.reads,
    parameters: parameters.map(({ name, value, unit, meaning, least = null, most = null }) => ({
      name,
      value,
      inForce: overrides[name] ?? value,
      unit,
      meaning,
      least,
      most,
    })),
    enabled: inForce.isEnabled(entry.id),
    severity: held?.rule.severity ?? null,
    ruleId: held?.id ?? null,
    ruleScope: held?.rule.scope ?? null,
    quality: qualityWords(DETECTOR_QUALITY[entry.id], QUALITY_COMMAND),
  };
}

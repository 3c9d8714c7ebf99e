import { metricEntry, metricWords, sayInteger, saySigned, sayValue } from "@trainwatch/core";
import type { CauseFact, Evidence, Finding, Severity } from "@trainwatch/core";
import { evidence, makeFinding } from "../../finding/make-finding.ts";
import { cohortEvidence, sayRanks } from "../cohort-words.ts";
import type { Cohorts } from "../cohorts.ts";
import type { RankContext } from "../contract.ts";
import type { RankLayout } from "../rank-layout.ts";
import { FAR } from "./record.ts";
import type { DeviationRecord } from "./record.ts";
import type { DeviationRules } from "./rules.ts";

interface Around {
  readonly detector: { readonly id: string; readonly version: number };
  readonly context: RankContext;
  readonly rules: DeviationRules;
  readonly layout: RankLayout;
  readonly cohorts: Cohorts;
  /** All excursions that are open now, this one among them. */
  readonly open: readonly DeviationRecord[];
}

export function deviationFinding(around: Around, record: DeviationRecord): Finding {
  const { rank, sign } = record;
  const title = metricEntry(record.metric)?.title ?? record.metric;
  const standing = {
    ongoing: "and still does",
    recovered: `until step ${sayInteger(record.endStep ?? record.lastFarStep)}`,
    shifted: "and has stayed at its new level",
  }[record.state];
  return makeFinding(around.detector, around.context, {
    metric: record.metric,
    subject: { kind: "rank", id: String(rank) },
    severity: severityOf(record),
    state: record.state,
    onsetStep: record.onsetStep,
    onsetLowerStep: record.onsetLowerStep,
    onsetTimeMs: record.onsetTimeMs,
    detectedStep: record.detectedStep,
    detectedTimeMs: record.detectedTimeMs,
    peakStep: record.peakStep,
    endStep: record.endStep,
    shape: record.shape,
    peakValue: record.peakValue,
    baselineValue: record.expected,
    levelShift: null,
    summary: `${title} of rank ${rank} lies ${sign > 0 ? "above" : "below"} its peers since step ${sayInteger(record.onsetStep)}, by up to ${sayValue(Math.abs(record.peakZ))} σ on at least ${sayInteger(record.far)} steps, ${standing}.`,
    evidence: evidenceOf(around, record),
    place: around.layout.placeOf(rank),
    facts: factsOf(record),
  });
}

/** A ticket at the alarm, since data may explain it; a page once it goes on over more batches than chance or one shard explains, or comes back (detection.md B.4). */
function severityOf(record: DeviationRecord): Severity {
  if (record.crowd !== null) return "info";
  return record.paged || record.againAfter !== null ? "critical" : "warning";
}

function factsOf(record: DeviationRecord): CauseFact[] {
  const moved: CauseFact[] = record.crowd === null ? [] : [{ fact: "all-ranks-move", value: record.crowd }];
  return [{ fact: "rank-deviates", value: record.far }, ...moved];
}

function evidenceOf({ rules, layout, cohorts, open }: Around, record: DeviationRecord): Evidence[] {
  const { metric, rank, design } = record;
  const words = metricWords(metric, [record.peakValue, record.expected]);
  const h = design === "fast" ? rules.fast_h : rules.slow_h;
  const list = [
    evidence(
      "for",
      `Its score was ${saySigned(record.sign * record.meanScore)} σ on average over the ${sayInteger(record.stepsToAlarm)} steps before the alarm, each clipped at ${rules.clip} σ: the ${design} sum passed ${h}`,
      record.meanScore,
      "σ",
      "detection.md B.4",
    ),
    evidence(
      "for",
      `At step ${sayInteger(record.peakStep)} it read ${words.value(record.peakValue)} where its peers make expect ${words.value(record.expected)}`,
      record.peakZ,
      "σ",
      metric,
    ),
    evidence("for", `It deviated by ${FAR} σ or more on at least ${sayInteger(record.far)} different batches`, record.far, "steps", metric),
  ];
  if (record.againAfter !== null)
    list.push(
      evidence("for", `The same rank deviated before, at step ${sayInteger(record.againAfter)}`, record.againAfter, "step", metric),
    );
  const other = open.find((one) => one.rank === rank && one.metric !== metric);
  if (other !== undefined)
    list.push(
      evidence("for", `Its ${other.metric} deviates as well, since step ${sayInteger(other.onsetStep)}`, other.peakZ, "σ", other.metric),
    );
  const mates = replicaMates(layout, open, record);
  if (mates.length > 0)
    list.push(
      evidence(
        "against",
        `Of the same replica, rank ${sayRanks(mates)} ${mates.length === 1 ? "deviates" : "deviate"} as well: they share the batch, and any of them may be at fault`,
        mates.length,
        "ranks",
        "placements",
      ),
    );
  if (record.crowd !== null)
    list.push(
      evidence(
        "against",
        `${(100 * record.crowd).toFixed(1)} % of all ranks deviated at once: no single device does that`,
        record.crowd,
        "share of the ranks",
        metric,
      ),
    );
  if (record.state === "recovered")
    list.push(evidence("against", `None of the ${sayInteger(record.sinceFar)} steps since deviated`, record.sinceFar, "steps", metric));
  list.push(
    cohortEvidence(cohorts, rank),
    evidence("against", "Other data would look the same: a rank that reads a part of the data of its own deviates without a fault"),
  );
  return list;
}

/** Other ranks of the replica that deviate now: tensor ranks of one replica log the same loss. */
function replicaMates(layout: RankLayout, open: readonly DeviationRecord[], record: DeviationRecord): number[] {
  const dp = layout.placement(record.rank)?.dp ?? null;
  if (dp === null) return [];
  const mates = open.filter((one) => one.rank !== record.rank && one.metric === record.metric && layout.placement(one.rank)?.dp === dp);
  return mates.map(({ rank }) => rank).sort((a, b) => a - b);
}

import { sayInteger, sayValue } from "@trainwatch/core";
import type { CauseFact, Evidence, Finding, Severity } from "@trainwatch/core";
import { evidence, makeFinding } from "../../finding/make-finding.ts";
import { cohortEvidence, sayRanks } from "../cohort-words.ts";
import type { Cohorts } from "../cohorts.ts";
import type { RankContext } from "../contract.ts";
import type { RankLayout } from "../rank-layout.ts";
import type { TimeRecord } from "./time-record.ts";

/** What a detector of times says in its own words. */
export interface TimeWords {
  readonly detector: { readonly id: string; readonly version: number };
  readonly metric: string;
  /** `Compute of`: what is slow, before the rank or node. */
  readonly what: string;
  /** `+15 % of its peers' time`: how much, of a deviation on the track's scale. */
  sayExcess(excess: number): string;
  facts(record: TimeRecord): readonly CauseFact[];
  evidence(record: TimeRecord): readonly Evidence[];
}

export function timeFinding(
  words: TimeWords,
  { context, layout, cohorts }: { readonly context: RankContext; readonly layout: RankLayout; readonly cohorts: Cohorts },
  record: TimeRecord,
): Finding {
  const [rank = 0] = record.ranks;
  const place = layout.placeOf(rank);
  const who = record.kind === "rank" ? `rank ${record.id}` : `node ${place.host ?? record.id} (ranks ${sayRanks(record.ranks)})`;
  const since = record.standing ? "for as long as it is known, or by slow growth" : `since step ${sayInteger(record.onsetStep)}`;
  const ends = record.state === "ongoing" ? "" : `, ${END_WORDS[record.state]} step ${sayInteger(record.endStep ?? record.lastSlowStep)}`;
  return makeFinding(words.detector, context, {
    metric: words.metric,
    subject: { kind: record.kind, id: record.id },
    severity: severityOf(record),
    state: record.state,
    onsetStep: record.onsetStep,
    onsetLowerStep: record.onsetLowerStep,
    onsetTimeMs: record.onsetTimeMs,
    detectedStep: record.detectedStep,
    detectedTimeMs: record.detectedTimeMs,
    peakStep: record.peakStep,
    endStep: record.endStep,
    shape: record.standing ? "ramp" : "jump",
    peakValue: record.peakValue,
    baselineValue: record.expected,
    levelShift: null,
    summary: `${words.what} ${who} is slow ${since}: ${words.sayExcess(record.excess)}${ends}.`,
    evidence: evidenceOf(words, record, cohorts),
    place: record.kind === "rank" ? place : { ...place, rank: null, gpuId: null },
    facts: [...words.facts(record), ...(record.crowd === null ? [] : [{ fact: "all-ranks-move", value: null } as const])],
  });
}

const END_WORDS = { recovered: "until", shifted: "and is not followed beyond" } as const;

/** Slowness costs money, not the model: a ticket. */
function severityOf(record: TimeRecord): Severity {
  return record.crowd === null ? "warning" : "info";
}

function evidenceOf(words: TimeWords, record: TimeRecord, cohorts: Cohorts): Evidence[] {
  const [rank = 0] = record.ranks;
  const list = [
    record.standing
      ? evidence("for", `Its standing offset from its peers is ${words.sayExcess(record.excess)}`, record.excess, "share", words.metric)
      : evidence(
          "for",
          `${words.sayExcess(record.excess)} on a moving average at the alarm, ${sayInteger(record.stepsToAlarm)} steps after its sum left zero`,
          record.excess,
          "share",
          words.metric,
        ),
    evidence(
      "for",
      `At step ${sayInteger(record.peakStep)} ${sayValue(record.peakValue)} s where ${sayValue(record.expected)} s were to be expected`,
      record.peakValue,
      "s",
      words.metric,
    ),
    cohortEvidence(cohorts, rank),
    ...words.evidence(record),
  ];
  if (record.kind === "node")
    list.push(evidence("for", `${record.ranks.length} ranks of the node are slow together`, record.ranks.length, "ranks", "placements"));
  if (record.waits !== null)
    list.push(
      record.waits < WAITS_LESS
        ? evidence(
            "for",
            `It waits in communication for ${Math.round(100 * record.waits)} % of its peers' time: they wait for it`,
            record.waits,
            "× median",
            "communication_time",
          )
        : evidence(
            "against",
            `It waits in communication for ${Math.round(100 * record.waits)} % of its peers' time: nobody seems to wait for it`,
            record.waits,
            "× median",
            "communication_time",
          ),
    );
  if (record.crowd !== null)
    list.push(
      evidence("against", `${record.crowd} ranks or nodes turned slow together: no single device does that`, record.crowd, "units"),
    );
  if (record.state === "recovered")
    list.push(evidence("against", "It is as fast as its peers again", record.endStep, "step", words.metric));
  if (record.state === "shifted")
    list.push(
      evidence(
        "against",
        "Its peers, or the time that is told, are others since: whether it goes on is not known",
        record.endStep,
        "step",
        words.metric,
      ),
    );
  if (list.every(({ weight }) => weight !== "against"))
    list.push(evidence("against", "Work that is shared out unevenly looks the same: see what this rank has to do beside its peers"));
  return list;
}

/** Who comes last waits least; below this share of the peers' median it is the one they wait for. */
const WAITS_LESS = 0.8;

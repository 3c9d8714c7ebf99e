import { evidence } from "../../finding/make-finding.ts";
import type { FleetTick } from "../contract.ts";
import { ACTIVITY_FIELDS, activityColumn } from "../engine/busy.ts";
import { HOLD_PARAMETERS } from "../engine/choose.ts";
import { cohortLevel, cohortsOf } from "../engine/cohorts.ts";
import { defineFleetDetector } from "../engine/define.ts";
import type { FleetBody, FleetKit } from "../engine/define.ts";
import { FieldCoverage } from "../engine/field-coverage.ts";
import { Persistence } from "../engine/persist.ts";
import { RowNumbers } from "../engine/row-numbers.ts";
import { columnOf, isRead } from "../engine/rows.ts";
import { called, isReadIn, numberOf, seenAt } from "../engine/sighting.ts";
import { storedPart } from "../engine/stored-part.ts";
import { percent, say } from "../engine/words.ts";

const PARAMETERS = [
  { name: "idle", value: 0.05, unit: "share of time", meaning: "Activity below which a GPU rests" },
  { name: "busy", value: 0.5, unit: "share of time", meaning: "Activity of its peers' median above which they work" },
  { name: "readings", value: 4, unit: "readings", meaning: "Readings in a row at rest while peers work" },
  { name: "most", value: 0.25, unit: "share", meaning: "More resting GPUs than this are how the job is, and no finding" },
  { name: "peers", value: 4, unit: "GPUs", meaning: "Fewest GPUs of a cohort" },
  { name: "fresh_s", value: 90, unit: "s", meaning: "Readings older than this are not compared" },
  ...HOLD_PARAMETERS,
] as const;

function start({ chosen, book, stored }: FleetKit<(typeof PARAMETERS)[number]["name"]>): FleetBody {
  const coverage = new FieldCoverage(ACTIVITY_FIELDS);
  const parts = new Map(
    ACTIVITY_FIELDS.map((field) => {
      const own = storedPart(stored, field);
      // One that works is the rule; 0: never seen at work, such as a GPU that the job has and does not use.
      return [
        field,
        { idle: new Persistence(storedPart(own, "idle")), worked: new RowNumbers([{ initial: 0, rest: 1 }], storedPart(own, "worked")) },
      ];
    }),
  );

  const judge = (tick: FleetTick): void => {
    const activity = activityColumn(tick);
    const own = activity === null ? undefined : parts.get(activity.column.field);
    if (activity === null || own === undefined) return;
    const { column, scale } = activity;
    const [worked] = own.worked.align(column);
    own.idle.begin(column);
    for (const rows of cohortsOf(column, tick).rows) {
      const level = cohortLevel(column, rows, tick.timeMs, chosen("fresh_s") * 1000);
      const isIdle = (row: number): boolean => isRead(column, row) && (column.values[row] ?? 0) / scale < chosen("idle");
      const resting = rows.reduce((sum, row) => sum + Number(isIdle(row)), 0);
      const isOneOfMany =
        level.count >= chosen("peers") && level.median / scale > chosen("busy") && resting <= chosen("most") * level.count;
      for (const row of rows) {
        if (!isRead(column, row) || worked === undefined) continue;
        const timeMs = column.timesMs[row] ?? tick.timeMs;
        if ((column.values[row] ?? 0) / scale > chosen("busy")) worked[row] = 1;
        if (own.idle.note(row, timeMs, isOneOfMany && worked[row] === 1 && isIdle(row)) < chosen("readings")) continue;
        const value = (column.values[row] ?? 0) / scale;
        const numbers = { peers: level.count };
        book.see(
          seenAt(column, tick, row, "gpu", {
            what: "idle",
            severity: "warning",
            onsetMs: own.idle.since(row),
            value,
            baseline: level.median / scale,
            numbers,
            metric: "activity",
          }),
          tick.timeMs,
        );
      }
    }
  };

  return {
    tick(tick) {
      coverage.note(tick);
      judge(tick);
      book.calmUnseen(
        tick.timeMs,
        isReadIn(
          ACTIVITY_FIELDS.map((field) => columnOf(tick, field)),
          tick,
        ),
      );
    },
    tell(episode) {
      return {
        summary: `${called(episode)} rests at ${percent(episode.value ?? 0)} activity while its peers work at ${percent(episode.baseline ?? 0)}`,
        evidence: [
          evidence(
            "for",
            `It worked before; the median of ${say(numberOf(episode, "peers"))} GPUs of its job works on`,
            episode.value,
            "share",
            episode.words["field"] ?? null,
          ),
          evidence(
            "against",
            "GPUs that wait in a collective read as busy: the one at rest may be waiting for data or its host",
            null,
            null,
            null,
          ),
        ],
        facts: [{ fact: "ranks-behind", value: 1 }],
      };
    },
    state: () => Object.fromEntries([...parts].map(([field, { idle, worked }]) => [field, { idle: idle.store(), worked: worked.store() }])),
    coverage: () => coverage.coverage(),
  };
}

export const gpuIdle = defineFleetDetector(
  {
    id: "gpu-idle",
    version: 1,
    title: "GPU at rest in a working job",
    finds: "A GPU that has stopped working while the others of its job go on: a rank that hangs or has died.",
    source: "Engine activity near zero on one rank: detection.md C.1",
    fields: ACTIVITY_FIELDS,
  },
  PARAMETERS,
  start,
);

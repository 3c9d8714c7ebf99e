import { evidence } from "../../finding/make-finding.ts";
import type { FleetColumn, FleetTick } from "../contract.ts";
import { ACTIVITY_FIELDS, activityOf } from "../engine/busy.ts";
import { HOLD_PARAMETERS } from "../engine/choose.ts";
import { cohortLevel, cohortsOf } from "../engine/cohorts.ts";
import { defineFleetDetector } from "../engine/define.ts";
import type { FleetBody, FleetKit } from "../engine/define.ts";
import { FieldCoverage } from "../engine/field-coverage.ts";
import { Persistence } from "../engine/persist.ts";
import { columnOf, isRead } from "../engine/rows.ts";
import { called, isReadIn, numberOf, seenAt } from "../engine/sighting.ts";
import { storedPart } from "../engine/stored-part.ts";
import { percent, say } from "../engine/words.ts";

const FIELDS = ["DCGM_FI_DEV_SM_CLOCK", "nvidia_smi_clocks_current_sm_clock_hz"];

const PARAMETERS = [
  { name: "ratio", value: 0.85, unit: "× median", meaning: "A working GPU's SM clock below this share of its peers' is low" },
  { name: "z", value: 6, unit: "σ", meaning: "And so many robust deviations below" },
  { name: "sigma_floor", value: 0.01, unit: "share", meaning: "Least deviation among peers, as a share of the median" },
  { name: "busy", value: 0.5, unit: "share of time", meaning: "Activity above which a GPU works: clocks fall at rest" },
  { name: "readings", value: 3, unit: "readings", meaning: "Readings in a row that must be low" },
  { name: "peers", value: 8, unit: "GPUs", meaning: "Fewest GPUs to be compared with" },
  { name: "fresh_s", value: 90, unit: "s", meaning: "Readings older than this are not compared" },
  ...HOLD_PARAMETERS,
] as const;

function start({ chosen, book, stored }: FleetKit<(typeof PARAMETERS)[number]["name"]>): FleetBody {
  const coverage = new FieldCoverage(FIELDS);
  const low = new Map(FIELDS.map((field) => [field, new Persistence(storedPart(stored, field))]));

  const judge = (tick: FleetTick, column: FleetColumn): void => {
    const persistence = low.get(column.field);
    persistence?.begin(column);
    for (const rows of cohortsOf(column, tick).rows) {
      const level = cohortLevel(column, rows, tick.timeMs, chosen("fresh_s") * 1000);
      if (level.count < chosen("peers")) continue;
      const sigma = Math.max(level.sigma, chosen("sigma_floor") * level.median);
      const limit = Math.min(chosen("ratio") * level.median, level.median - chosen("z") * sigma);
      for (const row of rows) {
        if (!isRead(column, row)) continue;
        const value = column.values[row] ?? 0;
        const timeMs = column.timesMs[row] ?? tick.timeMs;
        // Who rests is slow by right, and who does not say whether it works is not accused.
        const isLow = value < limit && (activityOf(tick, column.entities[row] ?? "") ?? 0) > chosen("busy");
        if ((persistence?.note(row, timeMs, isLow) ?? 0) < chosen("readings")) continue;
        const onsetMs = persistence?.since(row) ?? timeMs;
        const numbers = { peers: level.count };
        book.see(
          seenAt(column, tick, row, "gpu", {
            what: "low",
            severity: "warning",
            onsetMs,
            value,
            baseline: level.median,
            numbers,
            metric: "sm clock",
          }),
          tick.timeMs,
        );
      }
    }
  };

  return {
    tick(tick) {
      coverage.note(tick);
      for (const field of FIELDS) {
        const column = columnOf(tick, field);
        if (column !== null) judge(tick, column);
      }
      book.calmUnseen(
        tick.timeMs,
        isReadIn(
          FIELDS.map((field) => columnOf(tick, field)),
          tick,
        ),
      );
    },
    tell(episode) {
      const share = (episode.peak ?? 0) / (episode.baseline ?? 1);
      return {
        summary: `${called(episode)} runs at ${percent(share)} of the SM clock of its peers`,
        evidence: [
          evidence(
            "for",
            `It works, and ${say(numberOf(episode, "peers"))} GPUs of the same model, run and stage run faster`,
            share,
            "share",
            episode.words["field"] ?? null,
          ),
          evidence("against", "A clock that was locked by hand looks the same", null, null, null),
        ],
        facts: [{ fact: "throttled", value: 1 - share }],
      };
    },
    state: () => Object.fromEntries([...low].map(([field, persistence]) => [field, persistence.store()])),
    coverage: () => coverage.coverage(),
  };
}

export const clockLow = defineFleetDetector(
  {
    id: "clock-low",
    version: 1,
    title: "Low clock",
    finds: "A working GPU whose SM clock is well below that of its peers in the same job.",
    source: "Peer z of clocks under load: detection.md C.1, G.2",
    fields: [...FIELDS, ...ACTIVITY_FIELDS],
  },
  PARAMETERS,
  start,
);

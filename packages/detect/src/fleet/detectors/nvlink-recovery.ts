import { evidence } from "../../finding/make-finding.ts";
import { HOLD_PARAMETERS } from "../engine/choose.ts";
import { CounterTrack } from "../engine/counter-track.ts";
import { defineFleetDetector } from "../engine/define.ts";
import type { FleetBody, FleetKit } from "../engine/define.ts";
import { FieldCoverage } from "../engine/field-coverage.ts";
import { columnOf } from "../engine/rows.ts";
import { called, isReadIn, numberOf, seenAt } from "../engine/sighting.ts";
import { storedPart } from "../engine/stored-part.ts";
import { counted } from "../engine/words.ts";

const FAILED = "DCGM_FI_DEV_NVLINK_RECOVERY_FAILED_TOTAL";
const SUCCEEDED = "DCGM_FI_DEV_NVLINK_RECOVERY_SUCCESSFUL_TOTAL";
const FIELDS = [FAILED, SUCCEEDED];

const PARAMETERS = [
  { name: "successes", value: 1, unit: "recoveries", meaning: "Recoveries that succeeded, within one reading, that open a ticket" },
  ...HOLD_PARAMETERS,
] as const;

function start({ chosen, book, stored }: FleetKit<(typeof PARAMETERS)[number]["name"]>): FleetBody {
  const coverage = new FieldCoverage(FIELDS);
  const tracks = new Map(FIELDS.map((field) => [field, new CounterTrack(storedPart(stored, field))]));
  return {
    tick(tick) {
      coverage.note(tick);
      for (const [field, track] of tracks) {
        const column = columnOf(tick, field);
        if (column === null) continue;
        const { delta } = track.advance(column, tick.timeMs);
        for (let row = 0; row < delta.length; row++) {
          const grown = delta[row] ?? Number.NaN;
          if (!(grown >= (field === FAILED ? 1 : chosen("successes")))) continue;
          const id = column.entities[row] ?? "";
          const held = book.get(id);
          const name = field === FAILED ? "failed" : "succeeded";
          const numbers = { [name]: (held?.numbers[name] ?? 0) + grown };
          const onsetMs = column.timesMs[row] ?? tick.timeMs;
          const severity = field === FAILED ? "critical" : "warning";
          book.see(
            seenAt(column, tick, row, id.includes("/link/") ? "link" : "gpu", {
              what: "recovery",
              severity,
              onsetMs,
              value: grown,
              numbers,
              metric: "nvlink recovery",
            }),
            tick.timeMs,
          );
        }
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
      const failed = numberOf(episode, "failed");
      const succeeded = numberOf(episode, "succeeded");
      const text = failed > 0 ? `could not be recovered ${counted(failed, "time")}` : `had to be recovered ${counted(succeeded, "time")}`;
      return {
        summary: `${called(episode)} ${text}`,
        evidence: [
          ...(failed > 0 ? [evidence("for", "Recovery of the link failed: it is down or will be", failed, "recoveries", FAILED)] : []),
          ...(succeeded > 0 ? [evidence("for", "The link was lost and came back", succeeded, "recoveries", SUCCEEDED)] : []),
          evidence("against", "Its other end may be the source", null, null, null),
        ],
        facts: failed > 0 ? [{ fact: "link-down", value: failed }] : [{ fact: "link-errors", value: succeeded }],
        shape: "point",
      };
    },
    state: () => Object.fromEntries([...tracks].map(([field, track]) => [field, track.store()])),
    coverage: () => coverage.coverage(),
  };
}

export const nvlinkRecovery = defineFleetDetector(
  {
    id: "nvlink-recovery-failed",
    version: 1,
    title: "NVLink recovery",
    finds: "An NVLink 5 that could not be recovered (page), or had to be (ticket).",
    source: "DCGM fields 1211 and 1212: failed is fail, successful is warn; detection.md C.1",
    fields: FIELDS,
  },
  PARAMETERS,
  start,
);

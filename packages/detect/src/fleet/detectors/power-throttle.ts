import { MAD_TO_SIGMA, median, medianAbsoluteDeviation } from "@trainwatch/stats";
import { evidence } from "../../finding/make-finding.ts";
import type { FleetTick } from "../contract.ts";
import { ACTIVITY_FIELDS, activityOf } from "../engine/busy.ts";
import { HOLD_PARAMETERS } from "../engine/choose.ts";
import { cohortsOf } from "../engine/cohorts.ts";
import { defineFleetDetector } from "../engine/define.ts";
import type { FleetBody, FleetKit } from "../engine/define.ts";
import { FieldCoverage } from "../engine/field-coverage.ts";
import { columnOf } from "../engine/rows.ts";
import { called, isReadIn, seenAt } from "../engine/sighting.ts";
import { storedPart } from "../engine/stored-part.ts";
import { TimeShares } from "../engine/time-share.ts";
import { percent } from "../engine/words.ts";

/** Hardware power brake among the clock event reasons. The software power cap is how a healthy GPU at full load lives. */
const BRAKE_BIT = 0x80;

const BRAKES = [
  { field: "DCGM_FI_DEV_CLOCKS_EVENT_REASON_HW_POWER_BRAKE_SLOWDOWN_NS", perMs: 1e6 },
  { field: "nvidia_smi_clocks_event_reasons_counters_hw_power_brake_slowdown_seconds", perMs: 1e-3 },
  { field: "DCGM_FI_DEV_CLOCKS_EVENT_REASONS", mask: BRAKE_BIT },
  { field: "nvidia_smi_clocks_event_reasons_active", mask: BRAKE_BIT },
];
const CAPS = [
  { field: "DCGM_FI_DEV_POWER_VIOLATION", perMs: 1e6 },
  { field: "nvidia_smi_clocks_event_reasons_counters_sw_power_cap_seconds", perMs: 1e-3 },
];
const BRAKE_FIELDS = BRAKES.map(({ field }) => field);
const CAP_FIELDS = CAPS.map(({ field }) => field);

const PARAMETERS = [
  {
    name: "brake_share",
    value: 0.01,
    unit: "share of time",
    meaning: "Power brake of a working GPU for more of the time than this is a ticket",
  },
  {
    name: "cap_excess",
    value: 0.3,
    unit: "share of time",
    meaning: "Time under the power cap beyond the median of its peers that is a ticket",
  },
  { name: "cap_z", value: 6, unit: "σ", meaning: "And so many robust deviations beyond it: chips differ" },
  { name: "window_s", value: 300, unit: "s", meaning: "Time constant over which shares are taken" },
  { name: "busy", value: 0.05, unit: "share of time", meaning: "Activity above which a GPU works" },
  { name: "peers", value: 8, unit: "GPUs", meaning: "Fewest GPUs to be compared with" },
  ...HOLD_PARAMETERS,
] as const;

function start({ chosen, book, stored }: FleetKit<(typeof PARAMETERS)[number]["name"]>): FleetBody {
  const coverage = new FieldCoverage([...BRAKE_FIELDS, ...CAP_FIELDS]);
  const brakes = new TimeShares(chosen("window_s") * 1000, BRAKES, storedPart(stored, "brakes"));
  const caps = new TimeShares(chosen("window_s") * 1000, CAPS, storedPart(stored, "caps"));

  const brake = (tick: FleetTick): void =>
    brakes.advance(tick, (column, { row, now, smooth, onsetMs }) => {
      const activity = activityOf(tick, column.entities[row] ?? "");
      if (Math.min(smooth, now) <= chosen("brake_share") || (activity !== null && activity <= chosen("busy"))) return;
      book.see(
        seenAt(column, tick, row, "gpu", {
          what: "brake",
          severity: "warning",
          onsetMs,
          value: now,
          baseline: 0,
          isOwnFinding: true,
          metric: "power brake",
        }),
        tick.timeMs,
      );
    });

  const cap = (tick: FleetTick): void => {
    // Shares of all first: each is compared with its cohort's. Rows without one are at 0.
    const told = new Map<string, Map<number, { smooth: number; now: number; onsetMs: number }>>();
    caps.advance(tick, (column, { row, smooth, now, onsetMs }) => {
      const rows = told.get(column.field) ?? new Map<number, { smooth: number; now: number; onsetMs: number }>();
      told.set(column.field, rows.set(row, { smooth, now, onsetMs }));
    });
    for (const [field, shares] of told) {
      const column = columnOf(tick, field);
      if (column === null) continue;
      for (const rows of cohortsOf(column, tick).rows) {
        if (rows.length < chosen("peers")) continue;
        const values = Float64Array.from(rows, (row) => shares.get(row)?.smooth ?? 0);
        const usual = median(values);
        const limit = usual + Math.max(chosen("cap_excess"), chosen("cap_z") * MAD_TO_SIGMA * medianAbsoluteDeviation(values, usual));
        for (const row of rows) {
          const own = shares.get(row);
          if (own === undefined || Math.min(own.smooth, own.now) <= limit) continue;
          book.see(
            seenAt(column, tick, row, "gpu", {
              what: "cap",
              severity: "warning",
              onsetMs: own.onsetMs,
              value: own.smooth,
              baseline: usual,
              isOwnFinding: true,
              metric: "power cap",
            }),
            tick.timeMs,
          );
        }
      }
    }
  };

  return {
    tick(tick) {
      coverage.note(tick);
      brake(tick);
      cap(tick);
      const columnsOf = (fields: readonly string[]) => fields.map((field) => columnOf(tick, field));
      const [ofBrakes, ofCaps] = [isReadIn(columnsOf(BRAKE_FIELDS), tick), isReadIn(columnsOf(CAP_FIELDS), tick)];
      book.calmUnseen(tick.timeMs, (episode) => (episode.what === "brake" ? ofBrakes : ofCaps)(episode));
    },
    tell(episode) {
      const peak = episode.peak ?? 0;
      const field = episode.words["field"] ?? null;
      const isBrake = episode.what === "brake";
      return {
        summary: isBrake
          ? `${called(episode)} is held down by the hardware's power brake ${percent(peak)} of the time`
          : `${called(episode)} is under its power cap ${percent(peak)} of the time, its peers ${percent(episode.baseline ?? 0)}`,
        evidence: [
          evidence(
            "for",
            isBrake
              ? "The power supply or the rack asks for the brake"
              : "It reaches its power limit far more than GPUs that do the same work",
            peak,
            "share",
            field,
          ),
          evidence(
            "against",
            isBrake ? "The cause is outside of the GPU: supply, cable, rack" : "Chips differ: one that leaks more reaches its limit sooner",
            null,
            null,
            null,
          ),
        ],
        facts: [{ fact: "throttled", value: peak }],
      };
    },
    state: () => ({ brakes: brakes.store(), caps: caps.store() }),
    coverage: () => coverage.coverage(),
  };
}

export const powerThrottle = defineFleetDetector(
  {
    id: "power-throttle",
    version: 1,
    title: "Power brake and power cap",
    finds: "A working GPU that the hardware's power brake holds down, or that is under its power cap far more than its peers.",
    source:
      "Clock events and violations, time share over 1 % while busy: detection.md C.1; the software cap is compared with peers, being usual",
    fields: [...new Set([...BRAKE_FIELDS, ...CAP_FIELDS, ...ACTIVITY_FIELDS])],
  },
  PARAMETERS,
  start,
);

import { evidence } from "../../finding/make-finding.ts";
import type { FleetColumn, FleetTick } from "../contract.ts";
import { ACTIVITY_FIELDS, activityOf } from "../engine/busy.ts";
import { HOLD_PARAMETERS } from "../engine/choose.ts";
import { cohortLevel, cohortsOf } from "../engine/cohorts.ts";
import { defineFleetDetector } from "../engine/define.ts";
import type { FleetBody, FleetKit } from "../engine/define.ts";
import type { Episode } from "../engine/episode.ts";
import { FieldCoverage } from "../engine/field-coverage.ts";
import type { FleetTelling } from "../engine/fleet-finding.ts";
import { Persistence } from "../engine/persist.ts";
import { columnOf, isRead } from "../engine/rows.ts";
import { called, isReadIn, numberOf, seenAt } from "../engine/sighting.ts";
import { storedPart } from "../engine/stored-part.ts";
import { TimeShares } from "../engine/time-share.ts";
import { percent, say } from "../engine/words.ts";

const NS = { perMs: 1e6 } as const;
const SECONDS = { perMs: 1e-3 } as const;
/** Software and hardware thermal slowdown among the clock event reasons. */
const THERMAL_BITS = 0x20 | 0x40;

const SHARES = [
  { field: "DCGM_FI_DEV_THERMAL_VIOLATION", ...NS },
  { field: "DCGM_FI_DEV_CLOCKS_EVENT_REASON_SW_THERM_SLOWDOWN_NS", ...NS },
  { field: "DCGM_FI_DEV_CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN_NS", ...NS },
  { field: "nvidia_smi_clocks_event_reasons_counters_hw_thermal_slowdown_seconds", ...SECONDS },
  { field: "nvidia_smi_clocks_event_reasons_counters_sw_thermal_slowdown_seconds", ...SECONDS },
  { field: "DCGM_FI_DEV_CLOCKS_EVENT_REASONS", mask: THERMAL_BITS },
  { field: "nvidia_smi_clocks_event_reasons_active", mask: THERMAL_BITS },
];
const TEMPERATURES = ["DCGM_FI_DEV_GPU_TEMP_CELSIUS", "nvidia_smi_temperature_gpu", "DCGM_FI_DEV_MEMORY_TEMP_CELSIUS"];
const SHARE_FIELDS = SHARES.map(({ field }) => field);

const PARAMETERS = [
  {
    name: "throttle_share",
    value: 0.01,
    unit: "share of time",
    meaning: "Thermal slowdown of a working GPU for more of the time than this is a ticket",
  },
  { name: "window_s", value: 300, unit: "s", meaning: "Time constant over which the share is taken" },
  { name: "busy", value: 0.05, unit: "share of time", meaning: "Activity above which a GPU works" },
  { name: "peer_z", value: 6, unit: "σ", meaning: "Temperature above its peers, in robust deviations" },
  { name: "peer_celsius", value: 10, unit: "°C", meaning: "And at least so many degrees" },
  { name: "sigma_floor", value: 1, unit: "°C", meaning: "Least deviation among peers: temperatures are whole degrees" },
  { name: "readings", value: 3, unit: "readings", meaning: "Readings in a row that must be hot" },
  { name: "peers", value: 8, unit: "GPUs", meaning: "Fewest GPUs to be compared with" },
  { name: "fresh_s", value: 90, unit: "s", meaning: "Readings older than this are not compared" },
  ...HOLD_PARAMETERS,
] as const;
type Name = (typeof PARAMETERS)[number]["name"];

function start({ chosen, book, stored }: FleetKit<Name>): FleetBody {
  const coverage = new FieldCoverage([...SHARE_FIELDS, ...TEMPERATURES]);
  const shares = new TimeShares(chosen("window_s") * 1000, SHARES, storedPart(stored, "shares"));
  const hot = new Map(TEMPERATURES.map((field) => [field, new Persistence(storedPart(storedPart(stored, "hot"), field))]));

  const throttle = (tick: FleetTick): void =>
    shares.advance(tick, (column, { row, now, smooth, onsetMs }) => {
      if (smooth <= chosen("throttle_share") || now <= chosen("throttle_share")) return;
      const activity = activityOf(tick, column.entities[row] ?? "");
      if (activity !== null && activity <= chosen("busy")) return;
      book.see(
        seenAt(column, tick, row, "gpu", {
          what: "throttle",
          severity: "warning",
          onsetMs,
          value: now,
          baseline: 0,
          isOwnFinding: true,
          metric: "thermal slowdown",
        }),
        tick.timeMs,
      );
    });

  const peers = (tick: FleetTick, column: FleetColumn): void => {
    const persistence = hot.get(column.field);
    persistence?.begin(column);
    const cohorts = cohortsOf(column, tick);
    for (const rows of cohorts.rows) {
      const level = cohortLevel(column, rows, tick.timeMs, chosen("fresh_s") * 1000);
      if (level.count < chosen("peers")) continue;
      const limit = level.median + Math.max(chosen("peer_celsius"), chosen("peer_z") * Math.max(level.sigma, chosen("sigma_floor")));
      for (const row of rows) {
        if (!isRead(column, row)) continue;
        const value = column.values[row] ?? 0;
        const timeMs = column.timesMs[row] ?? tick.timeMs;
        if ((persistence?.note(row, timeMs, value >= limit) ?? 0) < chosen("readings")) continue;
        const onsetMs = persistence?.since(row) ?? timeMs;
        const numbers = { peers: level.count, sigma: level.sigma };
        book.see(
          seenAt(column, tick, row, "gpu", {
            what: "hot",
            severity: "warning",
            onsetMs,
            value,
            baseline: level.median,
            numbers,
            isOwnFinding: true,
            metric: "temperature",
          }),
          tick.timeMs,
        );
      }
    }
  };

  return {
    tick(tick) {
      coverage.note(tick);
      throttle(tick);
      for (const field of TEMPERATURES) {
        const column = columnOf(tick, field);
        if (column !== null) peers(tick, column);
      }
      const columnsOf = (fields: readonly string[]) => fields.map((field) => columnOf(tick, field));
      const [ofShares, ofTemperatures] = [isReadIn(columnsOf(SHARE_FIELDS), tick), isReadIn(columnsOf(TEMPERATURES), tick)];
      book.calmUnseen(tick.timeMs, (episode) => (episode.what === "hot" ? ofTemperatures : ofShares)(episode));
    },
    tell,
    state: () => ({
      shares: shares.store(),
      hot: Object.fromEntries([...hot].map(([field, persistence]) => [field, persistence.store()])),
    }),
    coverage: () => coverage.coverage(),
  };
}

function tell(episode: Episode): FleetTelling {
  const field = episode.words["field"] ?? null;
  const peak = episode.peak ?? 0;
  if (episode.what === "throttle")
    return {
      summary: `${called(episode)} is slowed by heat ${percent(peak)} of the time while it works`,
      evidence: [
        evidence("for", "Share of time in thermal slowdown", peak, "share", field),
        evidence("against", "A whole room or rack that is warm slows its GPUs alike", null, null, null),
      ],
      facts: [{ fact: "throttled", value: peak }],
    };
  const above = peak - (episode.baseline ?? 0);
  return {
    summary: `${called(episode)} is ${say(peak)} °C, ${say(above)} °C above its peers`,
    evidence: [
      evidence(
        "for",
        `Median of ${say(numberOf(episode, "peers"))} GPUs of the same model and run: ${say(episode.baseline ?? 0)} °C`,
        above,
        "°C",
        field,
      ),
      evidence("against", "Hot is not slow: its clocks say whether it is held down", null, null, null),
    ],
    facts: [{ fact: "hot", value: above }],
  };
}

export const thermal = defineFleetDetector(
  {
    id: "thermal",
    version: 1,
    title: "Heat",
    finds: "A working GPU that is slowed by heat, or is much hotter than its peers in the same job.",
    source: "Time in thermal slowdown over 1 % while busy, peer z of temperatures: detection.md C.1, G.2",
    fields: [...SHARE_FIELDS, ...TEMPERATURES, ...ACTIVITY_FIELDS],
  },
  PARAMETERS,
  start,
);

import { gpuOf } from "@trainwatch/core";
import { evidence } from "../../finding/make-finding.ts";
import type { FleetTick } from "../contract.ts";
import { HOLD_PARAMETERS } from "../engine/choose.ts";
import { CounterTrack } from "../engine/counter-track.ts";
import { defineFleetDetector } from "../engine/define.ts";
import type { FleetBody, FleetKit } from "../engine/define.ts";
import type { Episode } from "../engine/episode.ts";
import { ErrorCounts } from "../engine/error-counts.ts";
import { FieldCoverage } from "../engine/field-coverage.ts";
import type { FleetTelling } from "../engine/fleet-finding.ts";
import { columnOf, isRead } from "../engine/rows.ts";
import { called, isReadIn, numberOf, seenAt } from "../engine/sighting.ts";
import { storedPart } from "../engine/stored-part.ts";
import { counted, say } from "../engine/words.ts";

const UNCORRECTED = [
  "DCGM_FI_DEV_ECC_DBE_VOL_TOTAL",
  "DCGM_FI_DEV_ECC_DBE_VOL_DEV",
  "DCGM_FI_DEV_ECC_DBE_VOL_SRM",
  "nvidia_smi_ecc_errors_uncorrected_volatile_total",
] as const;
const CORRECTED = ["DCGM_FI_DEV_ECC_SBE_VOL_TOTAL", "nvidia_smi_ecc_errors_corrected_volatile_total"] as const;
const SRAM = "DCGM_FI_DEV_SRAM_EXCEEDED";
const FIELDS = [...UNCORRECTED, ...CORRECTED, SRAM];

const PARAMETERS = [
  { name: "healthy_per_min", value: 0.02, unit: "1/min", meaning: "Corrected errors that a healthy GPU may count" },
  { name: "ratio", value: 5, unit: "× healthy", meaning: "Rate that is found soonest" },
  { name: "h", value: 20, unit: "nats", meaning: "Sum of the log likelihood ratio at which a ticket is opened" },
  { name: "clip", value: 5, unit: "errors", meaning: "Corrected errors that one reading may add to the sum" },
  ...HOLD_PARAMETERS,
] as const;
type Name = (typeof PARAMETERS)[number]["name"];

function start({ chosen, book, stored }: FleetKit<Name>): FleetBody {
  const coverage = new FieldCoverage(FIELDS);
  const tracks = new Map(UNCORRECTED.map((field) => [field, new CounterTrack(storedPart(storedPart(stored, "uncorrected"), field))]));
  const corrected = new ErrorCounts(
    { perMinute: chosen("healthy_per_min"), ratio: chosen("ratio"), h: chosen("h"), clip: chosen("clip") },
    new Map(CORRECTED.map((field) => [field, 1])),
    storedPart(stored, "corrected"),
  );
  const uncorrectedOf = (tick: FleetTick): void => {
    for (const [field, track] of tracks) {
      const column = columnOf(tick, field);
      if (column === null) continue;
      const { delta } = track.advance(column, tick.timeMs);
      for (let row = 0; row < delta.length; row++) {
        const grown = delta[row] ?? Number.NaN;
        if (!(grown > 0)) continue;
        const onsetMs = column.timesMs[row] ?? tick.timeMs;
        const held = book.get(`uncorrected|${gpuOf(column.entities[row] ?? "")}`);
        const numbers = { [field]: grown + (held?.numbers[field] ?? 0) };
        book.see(
          seenAt(column, tick, row, "gpu", {
            what: "uncorrected",
            severity: "critical",
            onsetMs,
            value: grown,
            numbers,
            isOwnFinding: true,
            metric: "ecc uncorrected",
          }),
          tick.timeMs,
        );
      }
    }
  };
  const sram = (tick: FleetTick): void => {
    const column = columnOf(tick, SRAM);
    if (column === null) return;
    for (let row = 0; row < column.values.length; row++) {
      if (!isRead(column, row) || (column.values[row] ?? 0) < 1) continue;
      const onsetMs = column.timesMs[row] ?? tick.timeMs;
      book.see(
        seenAt(column, tick, row, "gpu", { what: "sram", severity: "warning", onsetMs, value: 1, isOwnFinding: true, metric: "ecc sram" }),
        tick.timeMs,
      );
    }
  };
  return {
    tick(tick) {
      coverage.note(tick);
      uncorrectedOf(tick);
      sram(tick);
      corrected.advance(tick, (column, { row, isAlarm, delta, onsetMs, perMinute, count }) => {
        const isOpen = delta > 0 && book.get(`corrected|${column.entities[row] ?? ""}`)?.endMs === null;
        if (!isAlarm && !isOpen) return;
        if (delta === 0) return;
        const numbers = { count };
        book.see(
          seenAt(column, tick, row, "gpu", {
            what: "corrected",
            severity: "warning",
            onsetMs,
            value: perMinute,
            numbers,
            isOwnFinding: true,
            metric: "ecc corrected",
          }),
          tick.timeMs,
        );
      });
      const groups: Readonly<Record<string, readonly string[]>> = { uncorrected: UNCORRECTED, corrected: CORRECTED, sram: [SRAM] };
      book.calmUnseen(tick.timeMs, (episode) =>
        isReadIn(
          (groups[episode.what] ?? []).map((field) => columnOf(tick, field)),
          tick,
        )(episode),
      );
    },
    tell,
    state: () => ({
      uncorrected: Object.fromEntries([...tracks].map(([field, track]) => [field, track.store()])),
      corrected: corrected.store(),
    }),
    coverage: () => coverage.coverage(),
  };
}

/** One error counts in the total, in its part of the total, and with every source that reads the GPU. */
function uncorrectedCount(episode: Episode): number {
  const [total, memory, sram, smi] = UNCORRECTED.map((field) => numberOf(episode, field));
  return Math.max(total ?? 0, (memory ?? 0) + (sram ?? 0), smi ?? 0);
}

function tell(episode: Episode): FleetTelling {
  const name = called(episode);
  const field = episode.words["field"] ?? null;
  const memory = { fact: "node-memory-error", value: 0 } as const;
  if (episode.what === "uncorrected") {
    const count = uncorrectedCount(episode);
    return {
      summary: `${name} counted ${counted(count, "uncorrectable memory error")}`,
      evidence: [
        evidence("for", "Uncorrectable (double-bit) errors since the finding began", count, null, field),
        evidence("against", "Such errors are contained: the process that was hit ends, others need not be wrong", null, null, null),
      ],
      facts: [memory],
      shape: "point",
    };
  }
  if (episode.what === "sram")
    return {
      summary: `${name} has exceeded the error threshold of its SRAM`,
      evidence: [
        evidence("for", "The driver's threshold flag is set: field diagnostics decide on a return", 1, null, field),
        evidence("against", "The flag does not say when it was set", null, null, null),
      ],
      facts: [memory],
    };
  return {
    summary: `${name} corrects memory errors at ${say(episode.peak ?? 0)} a minute`,
    evidence: [
      evidence("for", `${counted(numberOf(episode, "count"), "corrected memory error")} since the rate rose`, episode.peak, "1/min", field),
      evidence("against", "Every one of them was corrected", null, null, null),
    ],
    facts: [memory],
  };
}

export const ecc = defineFleetDetector(
  {
    id: "ecc",
    version: 1,
    title: "GPU memory errors",
    finds:
      "A GPU that counts an uncorrectable memory error, exceeds the threshold of its SRAM, or corrects errors at more than a healthy rate.",
    source: "DBE pages, SRAM threshold and SBE rate are tickets: DCGM 4.6 health checks, detection.md C.1; Poisson CUSUM (Lucas 1985), G.2",
    fields: FIELDS,
  },
  PARAMETERS,
  start,
);

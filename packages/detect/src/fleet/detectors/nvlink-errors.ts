import { gpuOf } from "@trainwatch/core";
import { evidence } from "../../finding/make-finding.ts";
import { HOLD_PARAMETERS } from "../engine/choose.ts";
import { defineFleetDetector } from "../engine/define.ts";
import type { FleetBody, FleetKit } from "../engine/define.ts";
import type { Episode } from "../engine/episode.ts";
import { ErrorCounts } from "../engine/error-counts.ts";
import { FieldCoverage } from "../engine/field-coverage.ts";
import type { FleetTelling } from "../engine/fleet-finding.ts";
import { columnOf } from "../engine/rows.ts";
import { called, isReadIn, numberOf, seenAt } from "../engine/sighting.ts";
import { counted, say } from "../engine/words.ts";

/** Per link first: where a link is known, its GPU is not accused as a whole. */
const ERRORS = ["CRC_FLIT", "CRC_DATA", "REPLAY"].flatMap((of) => [
  `DCGM_FI_DEV_NVLINK_${of}_ERROR_PER_LINK_TOTAL`,
  `DCGM_FI_DEV_NVLINK_${of}_ERROR_TOTAL`,
]);
const NVLINK5_ERRORS = [
  "DCGM_FI_DEV_NVLINK_CRC_ERROR_TOTAL",
  "DCGM_FI_DEV_NVLINK_REPLAY_TOTAL",
  "DCGM_FI_DEV_NVLINK_INTEGRITY_ERROR_TOTAL",
  "DCGM_FI_DEV_NVLINK_RX_ERROR_TOTAL",
  "DCGM_FI_DEV_NVLINK_EFFECTIVE_ERROR_TOTAL",
];
const RECOVERIES = [
  "DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_PER_LINK_TOTAL",
  "DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_TOTAL",
  "DCGM_FI_DEV_NVLINK_RECOVERY_TOTAL",
];
const FIELDS = [...ERRORS, ...NVLINK5_ERRORS, ...RECOVERIES].sort(
  (a, b) => Number(b.includes("PER_LINK")) - Number(a.includes("PER_LINK")),
);

const PARAMETERS = [
  { name: "healthy_per_min", value: 0.02, unit: "1/min", meaning: "Errors that a healthy link may count: over weeks it is not always 0" },
  { name: "ratio", value: 5, unit: "× healthy", meaning: "Rate that is found soonest" },
  { name: "h", value: 20, unit: "nats", meaning: "Sum of the log likelihood ratio at which a ticket is opened" },
  { name: "clip", value: 5, unit: "errors", meaning: "Errors that one reading may add to the sum: one burst is no alarm" },
  { name: "recovery_weight", value: 5, unit: "errors", meaning: "Errors that one recovery of a link stands for" },
  { name: "page_per_s", value: 100, unit: "1/s", meaning: "Rate at which a link has failed (DCGM) and somebody is paged" },
  { name: "page_recoveries", value: 3, unit: "recoveries", meaning: "Recoveries within one finding that page as well" },
  ...HOLD_PARAMETERS,
] as const;
type Name = (typeof PARAMETERS)[number]["name"];

function start({ chosen, book, stored }: FleetKit<Name>): FleetBody {
  const coverage = new FieldCoverage(FIELDS);
  const counts = new ErrorCounts(
    { perMinute: chosen("healthy_per_min"), ratio: chosen("ratio"), h: chosen("h"), clip: chosen("clip") },
    new Map(FIELDS.map((field) => [field, RECOVERIES.includes(field) ? chosen("recovery_weight") : 1])),
    stored,
  );
  const isOpen = (id: string): boolean => book.get(id)?.endMs === null;
  const hasOpenLink = (gpu: string): boolean => book.open().some(({ subject }) => subject.kind === "link" && gpuOf(subject.id) === gpu);
  return {
    tick(tick) {
      coverage.note(tick);
      counts.advance(tick, (column, { row, delta, isAlarm, perMinute, onsetMs, count }) => {
        const id = column.entities[row] ?? "";
        const isLink = id.includes("/link/");
        if (delta === 0 || !(isAlarm || isOpen(id)) || (!isLink && hasOpenLink(gpuOf(id)))) return;
        const isRecovery = RECOVERIES.includes(column.field);
        const held = isOpen(id) ? book.get(id) : null;
        const recoveries = (held?.numbers["recoveries"] ?? 0) + (isRecovery ? (held === null ? count : delta) : 0);
        const errors = (held?.numbers["errors"] ?? 0) + (isRecovery ? 0 : held === null ? count : delta);
        const isFailed = perMinute >= 60 * chosen("page_per_s") || recoveries >= chosen("page_recoveries");
        book.see(
          seenAt(column, tick, row, isLink ? "link" : "gpu", {
            what: "errors",
            severity: isFailed ? "critical" : "warning",
            onsetMs,
            value: isRecovery && held !== null ? held.value : perMinute,
            baseline: chosen("healthy_per_min"),
            numbers: { recoveries, errors },
            metric: "nvlink errors",
          }),
          tick.timeMs,
        );
      });
      book.calmUnseen(
        tick.timeMs,
        isReadIn(
          FIELDS.map((field) => columnOf(tick, field)),
          tick,
        ),
      );
    },
    tell,
    state: () => counts.store(),
    coverage: () => coverage.coverage(),
  };
}

function tell(episode: Episode): FleetTelling {
  const errors = numberOf(episode, "errors");
  const recoveries = numberOf(episode, "recoveries");
  const perMinute = episode.peak ?? 0;
  return {
    summary: `${called(episode)} counts ${say(perMinute)} errors a minute${recoveries > 0 ? ` and has recovered ${counted(recoveries, "time")}` : ""}`,
    evidence: [
      evidence(
        "for",
        `${counted(errors, "error")} since the rate rose; a healthy link counts less than ${say(episode.baseline ?? 0)} a minute`,
        perMinute,
        "1/min",
        episode.words["field"] ?? null,
      ),
      ...(recoveries > 0
        ? [evidence("for", "The link had to be brought up anew", recoveries, "recoveries", "NVLink recovery counter")]
        : []),
      evidence("against", "Its other end may be the source: both ends of a link count", null, null, null),
    ],
    facts: [{ fact: "link-errors", value: perMinute }],
  };
}

export const nvlinkErrors = defineFleetDetector(
  {
    id: "nvlink-errors",
    version: 1,
    title: "NVLink errors",
    finds: "An NVLink that counts checksum errors, replays or recoveries at more than a healthy rate.",
    source:
      "Poisson CUSUM (Lucas 1985) at five times the healthy rate, DCGM's limit of 100 a second and its recovery check: detection.md C.1, G.2",
    fields: FIELDS,
  },
  PARAMETERS,
  start,
);

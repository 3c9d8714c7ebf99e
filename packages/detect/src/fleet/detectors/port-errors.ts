import { evidence } from "../../finding/make-finding.ts";
import type { FleetTick } from "../contract.ts";
import { HOLD_PARAMETERS } from "../engine/choose.ts";
import { CounterTrack } from "../engine/counter-track.ts";
import { defineFleetDetector } from "../engine/define.ts";
import type { FleetBody, FleetKit } from "../engine/define.ts";
import { ErrorCounts } from "../engine/error-counts.ts";
import { FieldCoverage } from "../engine/field-coverage.ts";
import { columnOf, isRead, rowsOf } from "../engine/rows.ts";
import { called, isReadIn, numberOf, seenAt } from "../engine/sighting.ts";
import { storedPart } from "../engine/stored-part.ts";
import { counted, say } from "../engine/words.ts";

const ERRORS = [
  "node_infiniband_symbol_error_total",
  "node_infiniband_port_errors_received_total",
  "node_infiniband_local_ack_timeout_err_total",
  "node_infiniband_packet_seq_err_total",
];
const RECOVERY = "node_infiniband_link_error_recovery_total";
/** What is told beside: congestion drops and waits as well, so they accuse nobody alone. */
const BESIDE = [
  "node_infiniband_port_discards_transmitted_total",
  "node_infiniband_port_transmit_wait_total",
  "node_infiniband_out_of_sequence_total",
  "node_infiniband_roce_adp_retrans_total",
];
const FIELDS = [...ERRORS, RECOVERY, ...BESIDE];

const PARAMETERS = [
  { name: "healthy_per_min", value: 0.2, unit: "1/min", meaning: "Errors that a healthy port may count" },
  { name: "ratio", value: 5, unit: "× healthy", meaning: "Rate that is found soonest" },
  { name: "h", value: 20, unit: "nats", meaning: "Sum of the log likelihood ratio at which a ticket is opened" },
  { name: "clip", value: 5, unit: "errors", meaning: "Errors that one reading may add to the sum: one burst is no alarm" },
  { name: "recovery_weight", value: 5, unit: "errors", meaning: "Errors that one recovery of the link stands for" },
  ...HOLD_PARAMETERS,
] as const;

function start({ chosen, book, stored }: FleetKit<(typeof PARAMETERS)[number]["name"]>): FleetBody {
  const judged = [...ERRORS, RECOVERY];
  const coverage = new FieldCoverage(judged);
  const counts = new ErrorCounts(
    { perMinute: chosen("healthy_per_min"), ratio: chosen("ratio"), h: chosen("h"), clip: chosen("clip") },
    new Map(judged.map((field) => [field, field === RECOVERY ? chosen("recovery_weight") : 1])),
    storedPart(stored, "counts"),
  );
  const beside = new Map(BESIDE.map((field) => [field, new CounterTrack(undefined, false)]));

  /** Growth of the other counters of a port at this tick. */
  const besides = (tick: FleetTick): ((id: string) => Readonly<Record<string, number>>) => {
    const grown = [...beside].flatMap(([field, track]) => {
      const column = columnOf(tick, field);
      return column === null ? [] : [{ field, column, delta: track.advance(column, tick.timeMs).delta }];
    });
    return (id) =>
      Object.fromEntries(
        grown.flatMap(({ field, column, delta }) => {
          const row = rowsOf(column, tick).rowOf(id);
          const value = row >= 0 && isRead(column, row) ? (delta[row] ?? Number.NaN) : Number.NaN;
          return value > 0 ? [[field, value]] : [];
        }),
      );
  };

  return {
    tick(tick) {
      coverage.note(tick);
      const besideOf = besides(tick);
      counts.advance(tick, (column, { row, delta, isAlarm, perMinute, onsetMs, count }) => {
        const id = column.entities[row] ?? "";
        const held = book.get(id)?.endMs === null ? book.get(id) : null;
        if (delta === 0 || !(isAlarm || held !== null)) return;
        const numbers = { ...besideOf(id), errors: (held?.numbers["errors"] ?? 0) + (held === null ? count : delta) };
        book.see(
          seenAt(column, tick, row, "port", {
            what: "errors",
            severity: "warning",
            onsetMs,
            value: perMinute,
            baseline: chosen("healthy_per_min"),
            numbers,
            metric: "port errors",
          }),
          tick.timeMs,
        );
      });
      book.calmUnseen(
        tick.timeMs,
        isReadIn(
          judged.map((field) => columnOf(tick, field)),
          tick,
        ),
      );
    },
    tell(episode) {
      const perMinute = episode.peak ?? 0;
      return {
        summary: `${called(episode)} counts ${say(perMinute)} errors a minute`,
        evidence: [
          evidence(
            "for",
            `${counted(numberOf(episode, "errors"), "error")} since the rate rose`,
            perMinute,
            "1/min",
            episode.words["field"] ?? null,
          ),
          ...BESIDE.filter((field) => numberOf(episode, field) > 0).map((field) =>
            evidence("for", "Grew with them", numberOf(episode, field), null, field),
          ),
          evidence("against", "The cable and the switch port at its other end count as well", null, null, null),
        ],
        facts: [{ fact: "link-errors", value: perMinute }],
      };
    },
    state: () => ({ counts: counts.store() }),
    coverage: () => coverage.coverage(),
  };
}

export const portErrors = defineFleetDetector(
  {
    id: "port-errors",
    version: 1,
    title: "Network port errors",
    finds: "An InfiniBand or RoCE port that counts symbol errors, bad packets, time-outs or recoveries at more than a healthy rate.",
    source: "Counters of /sys/class/infiniband, Poisson CUSUM at five times the healthy rate: detection.md C.1, G.2",
    fields: FIELDS,
  },
  PARAMETERS,
  start,
);

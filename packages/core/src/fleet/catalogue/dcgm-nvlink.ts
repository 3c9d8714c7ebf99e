import type { FleetField } from "../field.ts";
import { type FieldFamily, defineField } from "./define-field.ts";
import { DCGM_SENTINELS } from "./sentinels.ts";

const family = (signal: FieldFamily["signal"], entity: FieldFamily["entity"] = "gpu"): FieldFamily => ({
  entity,
  signal,
  sentinels: DCGM_SENTINELS,
  source: "DCGM 4.6 dcgm_fields.h",
});

const ERRORS = family("nvlink-errors");
const LINK_ERRORS = family("nvlink-errors", "link");
const BANDWIDTH = family("nvlink-bandwidth");
const LINK_BANDWIDTH = family("nvlink-bandwidth", "link");

const COUNTER = { kind: "counter", max: 2 ** 50 } as const;
/** Links that DCGM numbers in field names: L0 to L17. */
const LINKS = Array.from({ length: 18 }, (_, link) => link);

function perLink(name: (link: number) => string): readonly string[] {
  return LINKS.map(name);
}

/**
 * NVLink. Two traps, both of which a TYPE line falls into: NVLINK_THROUGHPUT is a rate that DCGM has computed already, in MB/s, although
 * dcgm-exporter calls it a counter (dcgm-exporter#417, PR#658: "KiB/s / 1000"); PROF_NVLINK_*_BYTES are rates in bytes per second too. What
 * counts is named _TOTAL. Names with L0 to L17 are the same quantity of one link, and the link is the entity.
 */
export const DCGM_NVLINK_FIELDS: readonly FleetField[] = [
  defineField(BANDWIDTH, "DCGM_FI_DEV_NVLINK_THROUGHPUT_TOTAL", "NVLink traffic, both ways", {
    unit: "MB/s",
    max: 1e7,
    aliases: ["DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL"],
  }),
  defineField(BANDWIDTH, "DCGM_FI_DEV_NVLINK_TX_THROUGHPUT_TOTAL", "NVLink traffic sent", {
    unit: "MB/s",
    max: 1e7,
    aliases: ["DCGM_FI_DEV_NVLINK_TX_BANDWIDTH_TOTAL"],
  }),
  defineField(BANDWIDTH, "DCGM_FI_DEV_NVLINK_RX_THROUGHPUT_TOTAL", "NVLink traffic received", {
    unit: "MB/s",
    max: 1e7,
    aliases: ["DCGM_FI_DEV_NVLINK_RX_BANDWIDTH_TOTAL"],
  }),
  defineField(BANDWIDTH, "DCGM_FI_PROF_NVLINK_TX_BYTES", "NVLink sent, with headers", { unit: "B/s", max: 1e13 }),
  defineField(BANDWIDTH, "DCGM_FI_PROF_NVLINK_RX_BYTES", "NVLink received, with headers", { unit: "B/s", max: 1e13 }),
  defineField(LINK_BANDWIDTH, "DCGM_FI_DEV_NVLINK_THROUGHPUT_PER_LINK", "Link traffic, both ways", {
    unit: "MB/s",
    max: 1e6,
    aliases: perLink((n) => `DCGM_FI_DEV_NVLINK_THROUGHPUT_L${n}`).concat(perLink((n) => `DCGM_FI_DEV_NVLINK_BANDWIDTH_L${n}`)),
  }),
  defineField(LINK_BANDWIDTH, "DCGM_FI_DEV_NVLINK_TX_THROUGHPUT_PER_LINK", "Link traffic sent", {
    unit: "MB/s",
    max: 1e6,
    aliases: perLink((n) => `DCGM_FI_DEV_NVLINK_TX_THROUGHPUT_L${n}`).concat(perLink((n) => `DCGM_FI_DEV_NVLINK_TX_BANDWIDTH_L${n}`)),
  }),
  defineField(LINK_BANDWIDTH, "DCGM_FI_DEV_NVLINK_RX_THROUGHPUT_PER_LINK", "Link traffic received", {
    unit: "MB/s",
    max: 1e6,
    aliases: perLink((n) => `DCGM_FI_DEV_NVLINK_RX_THROUGHPUT_L${n}`).concat(perLink((n) => `DCGM_FI_DEV_NVLINK_RX_BANDWIDTH_L${n}`)),
  }),
  defineField(LINK_BANDWIDTH, "DCGM_FI_PROF_NVLINK_TX_BYTES_PER_LINK", "Link sent, with headers", {
    unit: "B/s",
    max: 1e12,
    aliases: perLink((n) => `DCGM_FI_PROF_NVLINK_L${n}_TX_BYTES`),
  }),
  defineField(LINK_BANDWIDTH, "DCGM_FI_PROF_NVLINK_RX_BYTES_PER_LINK", "Link received, with headers", {
    unit: "B/s",
    max: 1e12,
    aliases: perLink((n) => `DCGM_FI_PROF_NVLINK_L${n}_RX_BYTES`),
  }),
  defineField(BANDWIDTH, "DCGM_FI_DEV_NVLINK_TX_BYTES_TOTAL", "NVLink 5 bytes sent", {
    unit: "B",
    kind: "counter",
    aliases: ["DCGM_FI_DEV_NVLINK_COUNT_TX_BYTES"],
  }),
  defineField(BANDWIDTH, "DCGM_FI_DEV_NVLINK_RX_BYTES_TOTAL", "NVLink 5 bytes received", {
    unit: "B",
    kind: "counter",
    aliases: ["DCGM_FI_DEV_NVLINK_COUNT_RX_BYTES"],
  }),

  ...[
    { of: "CRC_FLIT", title: "flow-control CRC errors" },
    { of: "CRC_DATA", title: "data CRC errors" },
    { of: "REPLAY", title: "replays" },
    { of: "RECOVERY", title: "recoveries" },
  ].flatMap(({ of, title }) => [
    defineField(ERRORS, `DCGM_FI_DEV_NVLINK_${of}_ERROR_TOTAL`, `NVLink ${title}`, {
      ...COUNTER,
      aliases: [`DCGM_FI_DEV_NVLINK_${of}_ERROR_COUNT_TOTAL`],
    }),
    defineField(LINK_ERRORS, `DCGM_FI_DEV_NVLINK_${of}_ERROR_PER_LINK_TOTAL`, `Link ${title}`, {
      ...COUNTER,
      aliases: perLink((n) => `DCGM_FI_DEV_NVLINK_${of}_ERROR_L${n}_TOTAL`).concat(
        perLink((n) => `DCGM_FI_DEV_NVLINK_${of}_ERROR_COUNT_L${n}`),
      ),
    }),
  ]),
  defineField(ERRORS, "DCGM_FI_DEV_NVLINK_CRC_ERROR_TOTAL", "NVLink CRC errors of the data link", {
    ...COUNTER,
    aliases: ["DCGM_FI_DEV_NVLINK_ERROR_DL_CRC"],
  }),
  defineField(ERRORS, "DCGM_FI_DEV_NVLINK_RECOVERY_TOTAL", "NVLink recoveries of the data link", {
    ...COUNTER,
    aliases: ["DCGM_FI_DEV_NVLINK_ERROR_DL_RECOVERY"],
  }),
  defineField(ERRORS, "DCGM_FI_DEV_NVLINK_REPLAY_TOTAL", "NVLink replays of the data link", {
    ...COUNTER,
    aliases: ["DCGM_FI_DEV_NVLINK_ERROR_DL_REPLAY"],
  }),
  ...[
    ["RX_PACKET_MALFORMED_TOTAL", "COUNT_RX_MALFORMED_PACKET_ERRORS", "malformed packets"],
    ["RX_PACKET_DROPPED_TOTAL", "COUNT_RX_BUFFER_OVERRUN_ERRORS", "packets dropped at a full buffer"],
    ["RX_ERROR_TOTAL", "COUNT_RX_ERRORS", "packets received with errors"],
    ["RX_REMOTE_ERROR_TOTAL", "COUNT_RX_REMOTE_ERRORS", "packets marked bad by the other end"],
    ["RX_GENERAL_ERROR_TOTAL", "COUNT_RX_GENERAL_ERRORS", "packets with a header mismatch"],
    ["INTEGRITY_ERROR_TOTAL", "COUNT_LOCAL_LINK_INTEGRITY_ERRORS", "link integrity errors"],
    ["RECOVERY_SUCCESSFUL_TOTAL", "COUNT_LINK_RECOVERY_SUCCESSFUL_EVENTS", "recoveries that succeeded"],
    ["RECOVERY_FAILED_TOTAL", "COUNT_LINK_RECOVERY_FAILED_EVENTS", "recoveries that failed"],
    ["RECOVERY_EVENT_TOTAL", "COUNT_LINK_RECOVERY_EVENTS", "recoveries begun"],
    ["RX_SYMBOL_ERROR_TOTAL", "COUNT_RX_SYMBOL_ERRORS", "symbol errors"],
    ["EFFECTIVE_ERROR_TOTAL", "COUNT_EFFECTIVE_ERRORS", "effective errors"],
    ["ECC_ERROR_TOTAL", "ECC_DATA_ERROR_COUNT_TOTAL", "ECC data errors"],
  ].map(([name, old, title]) =>
    defineField(ERRORS, `DCGM_FI_DEV_NVLINK_${name}`, `NVLink 5 ${title}`, { ...COUNTER, aliases: [`DCGM_FI_DEV_NVLINK_${old}`] }),
  ),
  defineField(ERRORS, "DCGM_FI_DEV_NVLINK_COUNT_TX_DISCARDS", "NVLink 5 packets discarded on sending", COUNTER),
  defineField(ERRORS, "DCGM_FI_DEV_NVLINK_SYMBOL_BER_RATIO", "NVLink 5 symbol bit error rate", {
    max: 1,
    digits: 15,
    aliases: ["DCGM_FI_DEV_NVLINK_COUNT_SYMBOL_BER_FLOAT"],
  }),
  defineField(ERRORS, "DCGM_FI_DEV_NVLINK_EFFECTIVE_BER_RATIO", "NVLink 5 effective bit error rate", {
    max: 1,
    digits: 15,
    aliases: ["DCGM_FI_DEV_NVLINK_COUNT_EFFECTIVE_BER_FLOAT"],
  }),
  defineField(LINK_ERRORS, "DCGM_FI_DEV_NVLINK_GET_STATE", "Link state", { kind: "state", max: 16 }),
  defineField(ERRORS, "DCGM_FI_DEV_NVLINK_ERROR", "NVLink error word", { kind: "state", aliases: ["DCGM_FI_DEV_GPU_NVLINK_ERRORS"] }),
];

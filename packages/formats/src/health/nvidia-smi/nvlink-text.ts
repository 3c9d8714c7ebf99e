import type { HealthSink } from "../contract.ts";
import { quantity } from "./value.ts";

/** `GPU 0: NVIDIA A100-SXM4-80GB (UUID: GPU-5269b708-…)`, of `nvidia-smi nvlink` and `nvidia-smi -L`. */
const GPU = /^GPU (\d{1,4}): (.{1,80}?) \(UUID: ((?:GPU|MIG)-[0-9a-f/-]{8,64})\)\s*$/i;
/** `Link 3: 26.562 GB/s`, `Link 3: <inactive>`, `Link 3: Replay Errors: 0`. */
const STATUS = /^\s+Link (\d{1,3}): (?:(\d+(?:\.\d+)?) GB\/s|<(inactive|disabled)>)\s*$/i;
const ERROR = /^\s+Link (\d{1,3}): ([A-Za-z][A-Za-z ]{2,60}?): (\S.*?)\s*$/;

/** Counters of `nvidia-smi nvlink -e` to 569, and those of NVLink 5 since, by the catalogue's names. What is not here means nothing to Trainwatch (FEC bins). */
const COUNTERS: ReadonlyMap<string, string> = new Map([
  ["replay errors", "DCGM_FI_DEV_NVLINK_REPLAY_ERROR_PER_LINK_TOTAL"],
  ["recovery errors", "DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_PER_LINK_TOTAL"],
  ["crc errors", "DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_PER_LINK_TOTAL"],
  ["malformed packet errors", "DCGM_FI_DEV_NVLINK_RX_PACKET_MALFORMED_TOTAL"],
  ["buffer overrun errors", "DCGM_FI_DEV_NVLINK_RX_PACKET_DROPPED_TOTAL"],
  ["rx errors", "DCGM_FI_DEV_NVLINK_RX_ERROR_TOTAL"],
  ["rx remote errors", "DCGM_FI_DEV_NVLINK_RX_REMOTE_ERROR_TOTAL"],
  ["rx general errors", "DCGM_FI_DEV_NVLINK_RX_GENERAL_ERROR_TOTAL"],
  ["local link integrity errors", "DCGM_FI_DEV_NVLINK_INTEGRITY_ERROR_TOTAL"],
  ["tx discards", "DCGM_FI_DEV_NVLINK_COUNT_TX_DISCARDS"],
  ["link recovery successful events", "DCGM_FI_DEV_NVLINK_RECOVERY_SUCCESSFUL_TOTAL"],
  ["link recovery failed events", "DCGM_FI_DEV_NVLINK_RECOVERY_FAILED_TOTAL"],
  ["total link recovery events", "DCGM_FI_DEV_NVLINK_RECOVERY_EVENT_TOTAL"],
  ["effective errors", "DCGM_FI_DEV_NVLINK_EFFECTIVE_ERROR_TOTAL"],
  ["effective ber", "DCGM_FI_DEV_NVLINK_EFFECTIVE_BER_RATIO"],
  ["symbol errors", "DCGM_FI_DEV_NVLINK_RX_SYMBOL_ERROR_TOTAL"],
  ["symbol ber", "DCGM_FI_DEV_NVLINK_SYMBOL_BER_RATIO"],
  ["tx bytes", "DCGM_FI_DEV_NVLINK_TX_BYTES_TOTAL"],
  ["rx bytes", "DCGM_FI_DEV_NVLINK_RX_BYTES_TOTAL"],
]);
const number = quantity({ "": 1 });

/** Nominal speed of a link, one way; and whether it carries anything at all. DCGM has no such fields. */
export const NVLINK_SPEED = "nvidia_smi_nvlink_speed_bytes_per_second";
export const NVLINK_ACTIVE = "nvidia_smi_nvlink_active";

export interface NvlinkText {
  /** @returns whether the line was one of `nvidia-smi nvlink` */
  line(text: string, number: number): boolean;
}

/** Whether a line names a GPU as `nvidia-smi nvlink` does. */
export function isNvlinkGpu(line: string): boolean {
  return GPU.test(line);
}

export function isNvlinkRow(line: string): boolean {
  return STATUS.test(line) || ERROR.test(line);
}

/** Reads `nvidia-smi nvlink -s` and `-e` (NVLink 5 too), a line at a time. */
export function nvlinkText(sink: HealthSink): NvlinkText {
  let gpu: Readonly<Record<string, string>> | null = null;

  function status(link: string, speed: string | undefined, line: number): void {
    const labels = { ...gpu, link };
    if (speed !== undefined) sink.reading({ name: NVLINK_SPEED, labels, value: Number(speed) * 1e9, line, timeMs: null });
    sink.reading({ name: NVLINK_ACTIVE, labels, value: speed === undefined ? 0 : 1, line, timeMs: null });
  }

  function counter(link: string, name: string, text: string, line: number): void {
    const metric = COUNTERS.get(name.toLowerCase());
    if (metric === undefined) return;
    const read = number(text);
    if (read.kind === "fault") sink.issue({ line, code: "bad-value", message: `${name} of link ${link} was left out: ${read.why}.` });
    if (read.kind === "number") sink.reading({ name: metric, labels: { ...gpu, link }, value: read.value, line, timeMs: null });
  }

  return {
    line(text, line) {
      const [, index, model, uuid] = GPU.exec(text) ?? [];
      if (index !== undefined && model !== undefined && uuid !== undefined) {
        gpu = { UUID: uuid, gpu: index, modelName: model };
        return true;
      }
      if (gpu === null) return false;
      const [, link, speed, inactive] = STATUS.exec(text) ?? [];
      if (link !== undefined && (speed !== undefined || inactive !== undefined)) {
        status(link, speed, line);
        return true;
      }
      const [, of, name, value] = ERROR.exec(text) ?? [];
      if (of !== undefined && name !== undefined && value !== undefined) {
        counter(of, name, value, line);
        return true;
      }
      return false;
    },
  };
}

import { MAX_LOOKED_AT, eventText, subCode } from "../event-text.ts";
import type { HealthEventParts } from "../contract.ts";
import { isoTime, type LineTime } from "../kernel/line-time.ts";

/** An event of a trainer's line, with the time that stands there. */
export interface NcclEvent {
  readonly parts: HealthEventParts;
  readonly time: LineTime;
  /** Equal for the same event told again: PyTorch tells a time-out up to three times. Null: never the same. */
  readonly key: string | null;
}

/** `c11-n07:533746:534200 [2] proxy.cc:1458 NCCL WARN …`, newer ones with `[2026-03-18 14:38:12] ` in front. Several may be glued into one line. */
const WARN =
  /(?:\[(\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2})\] )?([\w.-]{1,253}):\d+:\d+ \[(\d{1,4})\] (?:([\w./-]{1,80}):(\d{1,6}) )?NCCL WARN (.*?)(?=(?:\[\d{4}-\d{2}-\d{2} [\d:]{8}\] )?[\w.-]{1,253}:\d+:\d+ \[\d{1,4}\] |$)/g;
/** `[Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=1580, OpType=ALLREDUCE, …) ran for 600060 milliseconds`. */
const WATCHDOG =
  /(?:\bRank (\d{1,7})\] )?(Watchdog caught collective operation timeout: WorkNCCL\(((?:[^()]|\([^()]{0,20}\)){0,300})\)(?: ran for \d+ milliseconds)?)/g;
/** `torch.distributed.DistBackendError: NCCL error in: …/ProcessGroupNCCL.cpp:1970, unhandled cuda error …`. */
const ERROR = /(?:DistBackendError|RuntimeError): (NCCL error in: .*?\.cpp:\d+, (.{1,60}?)(?:[,(].*)?)$/;
/** `[rank3]:` of torchrun and PyTorch, `[default3]:` of torchrun's redirects. */
const LINE_RANK = /\[rank ?(\d{1,7})\]/i;
/** `[E321 02:07:08.408271257 ProcessGroupNCCL.cpp:607]`: level, month without a leading zero and day, time. */
const GLOG = /\[[IWEF](\d{1,2})(\d{2}) (\d{2}:\d{2}:\d{2}\.\d{3})\d{0,6} /;

/** What NCCL and PyTorch's watchdog say in a trainer's line; most lines say nothing. */
export function ncclEvents(whole: string): readonly NcclEvent[] {
  if (!whole.includes("NCCL")) return [];
  const line = aroundNccl(whole);
  if (line.includes("NCCL WARN")) return [...line.matchAll(WARN)].map((found) => warning(found));
  if (line.includes("Watchdog caught")) return [...line.matchAll(WATCHDOG)].map((found) => timeOut(found, line));
  const [, told, what] = ERROR.exec(line) ?? [];
  if (told === undefined) return [];
  const rank = rankOf(line);
  const parts = {
    kind: "nccl",
    code: null,
    subCode: subCode(what),
    severity: "warning",
    entity: null,
    text: eventText(withRank(rank, told)),
    rank,
  } as const;
  return [{ parts, time: glogTime(line), key: `${rank} ${told}` }];
}

/** Trainers' progress bars may have filled the line before. */
function aroundNccl(line: string): string {
  if (line.length <= MAX_LOOKED_AT) return line;
  const at = line.indexOf("NCCL");
  return line.slice(Math.max(0, at - 512), at + MAX_LOOKED_AT - 512);
}

/** A warning is a note: NCCL warns at every second orderly shutdown. `rank` stays unknown: the number in brackets is the device. */
function warning([, time, host, device, file, at, message = ""]: RegExpExecArray): NcclEvent {
  const place = file === undefined ? undefined : `${file.slice(file.lastIndexOf("/") + 1)}:${at}`;
  return {
    parts: {
      kind: "nccl",
      code: null,
      subCode: subCode(place),
      severity: "info",
      entity: null,
      text: eventText(`${host}, device ${device}: ${message}`),
    },
    time: time === undefined ? { kind: "unknown" } : isoTime(time),
    key: null,
  };
}

/** The collective did not come to its end: the job hangs and is about to die. */
function timeOut([, rankText, told = "", work = ""]: RegExpExecArray, line: string): NcclEvent {
  const rank = rankText === undefined ? rankOf(line) : Number(rankText);
  const op = /\bOpType=(\w{1,40})/.exec(work)?.[1] ?? null;
  const sequence = /\bSeqNum=(\d{1,15})/.exec(work)?.[1];
  const detail = [op, sequence === undefined ? null : `#${sequence}`].filter((part) => part !== null).join(" ");
  return {
    parts: {
      kind: "nccl",
      code: null,
      subCode: subCode(detail),
      severity: "critical",
      entity: null,
      text: eventText(withRank(rank, told)),
      rank,
      op,
    },
    time: glogTime(line),
    key: `${rank} ${told}`,
  };
}

function rankOf(line: string): number | null {
  const rank = LINE_RANK.exec(line)?.[1];
  return rank === undefined ? null : Number(rank);
}

function withRank(rank: number | null, told: string): string {
  return rank === null ? told : `rank ${rank}: ${told}`;
}

function glogTime(line: string): LineTime {
  const [, month = "", day = "", clock] = GLOG.exec(line) ?? [];
  return clock === undefined ? { kind: "unknown" } : { kind: "yearless", stamp: `${month.padStart(2, "0")}${day} ${clock}` };
}

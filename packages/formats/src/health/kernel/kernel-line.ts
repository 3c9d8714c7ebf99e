import { readKmsgHead } from "./kmsg-record.ts";
import { civilTime, isoTime, yearlessTime, type LineTime } from "./line-time.ts";

/** A line of a kernel log or syslog, taken apart. */
export interface KernelLine {
  readonly time: LineTime;
  /** `kernel`, or the program that syslog names. */
  readonly program: string;
  readonly text: string;
}

/** `kern  :warn  : ` of `dmesg --decode`, `<6>` of `dmesg --raw`. */
const LEVEL = /^(?:[a-z0-9]+ *:[a-z]+ *: |<\d{1,3}>)/;
const SINCE_BOOT = /^\[ *(\d{1,10}\.\d{1,9})\](?:\[ *[CT]\d+\])? ?/;
/** `dmesg -T`, in local time. */
const HUMAN = /^\[(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ([A-Z][a-z]{2}) +(\d{1,2}) (\d{2}:\d{2}:\d{2}) (\d{4})\] ?/;
/** `dmesg --reltime`: the minute, or seconds since the line before. No time can be told from it. */
const RELATIVE = /^\[(?:[A-Z][a-z]{2} ?\d{1,2} \d{2}:\d{2}| *\+\d+\.\d+| *<[ \d.]*>)\] ?/;
const ISO = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})? /;
/** `Feb 23 16:24:18 ` of syslog and `journalctl`. */
const SYSLOG = /^([A-Z][a-z]{2}) ([ \d]\d) (\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))? /;
/** `c11-n07 kernel: ` and `c11-n07 sshd[123]: ` behind a syslog time. */
const HOST_PROGRAM = /^[\w.:-]{1,253} ([\w./@()-]{1,128})(?:\[\d+\])?: /;

/**
 * Takes off what a log puts in front of the kernel's text: a `/dev/kmsg` head, `dmesg` times (since boot, `-T`, ISO, `--reltime`) with or without `--decode`, syslog and
 * `journalctl` (short, precise, ISO, monotonic). Null where it has none of them: a continuation, or a line of another log.
 */
export function readKernelLine(line: string): KernelLine | null {
  const kmsg = readKmsgHead(line);
  if (kmsg !== null) return { time: { kind: "since-boot", seconds: kmsg.sinceBootUs / 1e6 }, program: "kernel", text: kmsg.text };
  const level = LEVEL.exec(line)?.[0] ?? "";
  const rest = line.slice(level.length);
  const bracketed = bracketTime(rest);
  if (bracketed !== null) return withProgram(bracketed, false);
  const iso = ISO.exec(rest)?.[0];
  if (iso !== undefined) return withProgram({ time: isoTime(iso), text: rest.slice(iso.length) }, level === "");
  const syslog = SYSLOG.exec(rest);
  if (syslog === null) return level === "" ? null : { time: { kind: "unknown" }, program: "kernel", text: rest };
  const [stamp, month = "", day = "", clock = "", fraction] = syslog;
  return withProgram({ time: yearlessTime(month, day, clock, fraction), text: rest.slice(stamp.length) }, true);
}

interface Timed {
  readonly time: LineTime;
  readonly text: string;
}

function bracketTime(text: string): Timed | null {
  const since = SINCE_BOOT.exec(text);
  if (since !== null) return { time: { kind: "since-boot", seconds: Number(since[1]) }, text: text.slice(since[0].length) };
  const human = HUMAN.exec(text);
  if (human !== null) {
    const [stamp, month = "", day = "", clock = "", year = ""] = human;
    return { time: civilTime(month, day, clock, year), text: text.slice(stamp.length) };
  }
  const relative = RELATIVE.exec(text)?.[0];
  return relative === undefined ? null : { time: { kind: "unknown" }, text: text.slice(relative.length) };
}

/** @param mayBeProgram whether a host and a program may stand in front although the program is not the kernel */
function withProgram({ time, text }: Timed, mayBeProgram: boolean): KernelLine {
  const named = HOST_PROGRAM.exec(text);
  const program = named?.[1];
  if (named === null || program === undefined || (!mayBeProgram && program !== "kernel")) return { time, program: "kernel", text };
  const rest = text.slice(named[0].length);
  if (program !== "kernel") return { time, program, text: rest };
  // Syslog keeps the kernel's own time in front of its text.
  return { time, program, text: rest.replace(SINCE_BOOT, "") };
}

/** A line that only a kernel's log has: one without a mark of its own (an ISO time alone) may be anybody's. */
export function isKernelLine(line: string): boolean {
  if (readKmsgHead(line) !== null || LEVEL.test(line) || SINCE_BOOT.test(line) || HUMAN.test(line)) return true;
  // `dmesg --time-format iso` writes a comma and six digits; programs of this world seldom do.
  if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2},\d{6}[+-]\d{2}:\d{2} /.test(line)) return true;
  return (SYSLOG.test(line) || ISO.test(line)) && readKernelLine(line)?.program === "kernel" && / kernel: /.test(line);
}

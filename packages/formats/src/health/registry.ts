import { expositionParser, type ExpositionFormat } from "../exposition/index.ts";
import { stripAnsi } from "../text/ansi.ts";
import { decodeUtf8 } from "../text/utf8-decoder.ts";
import type { HealthOptions, HealthParser, HealthSink } from "./contract.ts";
import { fabricManagerParser, isFabricEntry } from "./fabric-manager/fabric-log.ts";
import { isIbstatLine } from "./infiniband/ibstat.ts";
import { isNetdiscoverLine } from "./infiniband/netdiscover.ts";
import { isPerfqueryHead } from "./infiniband/perfquery.ts";
import { isSwitchInfoRow } from "./infiniband/switch-info.ts";
import { sysfsJsonParser } from "./infiniband/sysfs-json.ts";
import { infinibandToolsParser } from "./infiniband/tools-text.ts";
import { kernelLogParser } from "./kernel/kernel-log.ts";
import { isKernelLine } from "./kernel/kernel-line.ts";
import { csvColumns } from "./nvidia-smi/csv-text.ts";
import { isNvlinkGpu, isNvlinkRow } from "./nvidia-smi/nvlink-text.ts";
import { isQueryStart } from "./nvidia-smi/query-text.ts";
import { nvidiaSmiParser } from "./nvidia-smi/smi-text.ts";
import { nvidiaSmiXmlParser } from "./nvidia-smi/smi-xml.ts";

export interface HealthFormat {
  /** Stable id, as `inspect --json` prints it. */
  readonly id: string;
  readonly title: string;
  /** One sentence for the manual: what writes it. */
  readonly source: string;
  /** Whether the first 64 KiB are of it. Exclusive over all fixtures; never looks at the file name. */
  sniff(head: Uint8Array): boolean;
  parser(sink: HealthSink, options: HealthOptions): HealthParser;
}

/** Lines that a head is judged by at most. */
const JUDGED = 400;
/** Of each line: a header of `--query-gpu` with every column has some 8,000 characters. */
const MAX_JUDGED = 16_384;
/** A line of an exposition: `name{labels} value` or a comment of it. */
const EXPOSITION = /^(?:# (?:HELP|TYPE|EOF|UNIT)\b|[a-zA-Z_:][a-zA-Z0-9_:]*(?:\{[^{}]*\} ?| )[+-]?(?:\d|NaN|Inf))/;
const SAMPLE_WITH_LABELS = /^[a-zA-Z_:][a-zA-Z0-9_:]*\{[a-zA-Z_][a-zA-Z0-9_]*="[^{}]*\} [+-]?(?:\d\S*|NaN|Inf)(?: \d+)?$/;

export const HEALTH_FORMATS = [
  {
    id: "kernel-log",
    title: "kernel log",
    source: "`/dev/kmsg` records, `dmesg` in any of its time formats, kernel lines of syslog and the journal.",
    sniff: (head) => share(head, isKernelLine) >= 0.5,
    parser: kernelLogParser,
  },
  {
    id: "fabric-manager",
    title: "fabric manager log",
    source: "`/var/log/fabricmanager.log` of NVIDIA's fabric manager.",
    sniff: (head) => share(head, isFabricEntry) >= 0.2,
    parser: fabricManagerParser,
  },
  {
    id: "nvidia-smi",
    title: "nvidia-smi text",
    source: "`nvidia-smi -q`, `nvlink -s`, `nvlink -e` and `--query-gpu=… --format=csv`, one or several in a file.",
    sniff: (head) =>
      some(head, (line) => isQueryStart(line) || line.startsWith("# $ nvidia-smi ") || csvColumns(line) !== null) ||
      // `nvidia-smi -L` names GPUs in the same way, at the head of many a program's log.
      (some(head, isNvlinkGpu) && some(head, isNvlinkRow)),
    parser: nvidiaSmiParser,
  },
  {
    id: "nvidia-smi-xml",
    title: "nvidia-smi XML",
    source: "`nvidia-smi -q -x`.",
    sniff: (head) => /^\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE nvidia_smi_log\b|<nvidia_smi_log\b)/.test(decodeUtf8(head.subarray(0, 4096))),
    parser: nvidiaSmiXmlParser,
  },
  {
    id: "infiniband",
    title: "InfiniBand tools",
    source: "`perfquery`, `ibnetdiscover`, `ibswinfo` and `ibstat`.",
    sniff: (head) => some(head, (line) => isPerfqueryHead(line) || isNetdiscoverLine(line) || isSwitchInfoRow(line) || isIbstatLine(line)),
    parser: (sink) => infinibandToolsParser(sink),
  },
  {
    id: "sysfs-json",
    title: "sysfs as JSON",
    source: "One JSON object that maps paths of `/sys` to contents, as node checks save it.",
    sniff: (head) => /^\s*\{\s*"\/sys\//.test(decodeUtf8(head.subarray(0, 4096))),
    parser: (sink) => sysfsJsonParser(sink),
  },
  {
    id: "exposition",
    title: "exposition",
    source: "What an exporter answers to a scrape in the text format 0.0.4.",
    sniff: (head) => isExposition(head) && !isOpenMetrics(head),
    parser: (sink) => expositionHealth(sink, "text"),
  },
  {
    id: "openmetrics",
    title: "OpenMetrics exposition",
    source: "What an exporter answers to a scrape in OpenMetrics 1.0.",
    sniff: (head) => isExposition(head) && isOpenMetrics(head),
    parser: (sink) => expositionHealth(sink, "openmetrics"),
  },
] as const satisfies readonly HealthFormat[];

/** The format of a machine's log or output by its first 64 KiB; null where it is none of them. */
export function detectHealthFormat(head: Uint8Array): HealthFormat | null {
  return HEALTH_FORMATS.find((format) => format.sniff(head)) ?? null;
}

function isExposition(head: Uint8Array): boolean {
  return (
    share(head, (line) => EXPOSITION.test(line)) >= 0.8 && some(head, (line) => line.startsWith("# TYPE ") || SAMPLE_WITH_LABELS.test(line))
  );
}

/** Marks that the text format does not have. A large one without any of them in its head is read as text, which it nearly is. */
function isOpenMetrics(head: Uint8Array): boolean {
  return some(head, (line) => /^# EOF$|^# UNIT |^# TYPE \S+ (?:unknown|info|stateset|gaugehistogram)$/.test(line));
}

/** Lines as they stand: a time in front of them may be what tells the format. */
function judged(head: Uint8Array): readonly string[] {
  return stripAnsi(decodeUtf8(head).replaceAll("\0", ""))
    .split(/[\r\n]+/, JUDGED)
    .filter((line) => line !== "")
    .map((line) => line.slice(0, MAX_JUDGED));
}

function share(head: Uint8Array, test: (line: string) => boolean): number {
  const lines = judged(head);
  return lines.length === 0 ? 0 : lines.filter((line) => test(line)).length / lines.length;
}

function some(head: Uint8Array, test: (line: string) => boolean): boolean {
  return judged(head).some((line) => test(line));
}

function expositionHealth(sink: HealthSink, format: ExpositionFormat): HealthParser {
  const parser = expositionParser(
    {
      sample: ({ name, labels, value, timeMs, line }) => sink.reading({ name, labels, value, timeMs, line }),
      issue: (issue) => sink.issue(issue),
    },
    { format },
  );
  return { push: (chunk) => parser.push(chunk), end: () => void parser.end() };
}

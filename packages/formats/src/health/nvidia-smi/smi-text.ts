import { stripAnsi } from "../../text/ansi.ts";
import { lineSplitter, MAX_LINE_CHARS } from "../../text/line-splitter.ts";
import { healthEvent, type HealthOptions, type HealthParser, type HealthSink } from "../contract.ts";
import { MAX_LOOKED_AT, eventText } from "../event-text.ts";
import { pciAddress } from "../pci-address.ts";
import { csvColumns, csvText, type CsvText } from "./csv-text.ts";
import { nvlinkText } from "./nvlink-text.ts";
import { isQueryStart, queryText, type QueryText } from "./query-text.ts";

/** `Unable to determine the device handle for GPU0000:3B:00.0: GPU is lost.  Reboot the system to recover this GPU`. */
const LOST = /^(Unable to determine the device handle for (?:gpu|GPU) ?(?:\d+: )?([0-9A-Fa-f:.]+): .*)$/;
const NO_DRIVER = /^(?:NVIDIA-SMI has failed because |No devices were found|Failed to initialize NVML: )/;
/** Heads a host's table where one file holds several. */
const HOST = /^Checking GPU .{0,60} on (\S{1,253})/;

/**
 * What nvidia-smi prints as text: `-q`, `nvlink -s`, `nvlink -e` and `--query-gpu=… --format=csv`, also several of them in one file with other text between.
 * Values that nvidia-smi does not have are absent; a unit that is not expected is an issue, and the value is left out.
 */
export function nvidiaSmiParser(sink: HealthSink, options: HealthOptions = {}): HealthParser {
  const nvlink = nvlinkText(sink);
  let query: QueryText | null = null;
  let csv: CsvText | null = null;
  let host: string | null = null;
  let current = 1;
  let isAssumed = false;

  function onAssumed(): void {
    if (isAssumed) return;
    isAssumed = true;
    sink.issue({ line: current, code: "zone-assumed", message: "Times name no zone and are taken as UTC; name one by --tz." });
  }

  function endQuery(): void {
    const ended = query;
    query = null;
    ended?.end();
  }

  function trouble(text: string, line: number): boolean {
    const [, told, address] = LOST.exec(text) ?? [];
    if (told !== undefined && address !== undefined) {
      const place = pciAddress(address);
      const entity = place === null ? null : ({ kind: "gpu", id: `pci:${place}` } as const);
      sink.event(
        healthEvent(
          { kind: "gpu-lost", code: null, subCode: "nvidia-smi", severity: "critical", entity, text: eventText(told) },
          null,
          line,
        ),
      );
      return true;
    }
    if (!NO_DRIVER.test(text)) return false;
    sink.issue({ line, code: "no-driver", message: `nvidia-smi could not read the GPUs: ${eventText(text)}` });
    return true;
  }

  function line(text: string, number: number): void {
    current = number;
    if (query !== null) {
      if (!isQueryStart(text) && query.line(text, number)) return;
      endQuery();
    }
    if (csv !== null) {
      if (csv.line(text, number)) return;
      csv = null;
    }
    if (isQueryStart(text)) {
      query = queryText(sink, options, onAssumed);
      return;
    }
    host = HOST.exec(text)?.[1] ?? host;
    if (text.length <= MAX_LOOKED_AT && (nvlink.line(text, number) || trouble(text, number))) return;
    const columns = csvColumns(text);
    if (columns !== null) csv = csvText(columns, host, sink, options, onAssumed);
  }

  const splitter = lineSplitter({
    line: (text, number) => line(stripAnsi(text), number),
    tooLong: (number) =>
      sink.issue({ line: number, code: "line-too-long", message: `The line is longer than ${MAX_LINE_CHARS} characters and was skipped.` }),
  });
  return {
    push: (chunk) => splitter.push(chunk),
    end() {
      splitter.end();
      endQuery();
    },
  };
}

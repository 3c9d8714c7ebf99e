import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { XIDS } from "@trainwatch/core";
import {
  type HealthEvent,
  type HealthParser,
  type HealthReading,
  type HealthSink,
  detectHealthFormat,
  ncclLogParser,
} from "@trainwatch/formats";
import { describe, expect, it } from "vitest";
import { CORPUS_FOLDER } from "./corpus-folder.ts";
import { countSysfs, countTools, toolName } from "./node-health/count-infiniband.ts";
import { add, countCsv, countNvlink, countQueryText, countXml, type Tally } from "./node-health/count-smi.ts";
import { classOf, FILES, type FileClass } from "./node-health/files.ts";

const FOLDER = join(CORPUS_FOLDER, "node_health");
const hasFolder = existsSync(FOLDER);
const XID_TABLE = join(CORPUS_FOLDER, "../reference/xid.csv");

interface Read {
  readonly format: string | null;
  readonly text: string;
  readonly events: readonly HealthEvent[];
  readonly readings: readonly HealthReading[];
}

function read(file: string): Read {
  const bytes = readFileSync(join(FOLDER, file));
  const events: HealthEvent[] = [];
  const readings: HealthReading[] = [];
  const sink: HealthSink = { event: (event) => events.push(event), reading: (reading) => readings.push(reading), issue: () => undefined };
  const format = detectHealthFormat(bytes.subarray(0, 1 << 16));
  const parser: HealthParser = format === null ? ncclLogParser(sink) : format.parser(sink, { bootTimeMs: 1_700_000_000_000 });
  // Any chunking must do; this one cuts nearly every line.
  for (let at = 0; at < bytes.length; at += 997) parser.push(bytes.subarray(at, at + 997));
  parser.end();
  return { format: format?.id ?? null, text: bytes.toString("utf8"), events, readings };
}

function filesOf(wanted: FileClass): readonly string[] {
  return Object.entries(FILES).flatMap(([file, of]) => (of === wanted ? [file] : []));
}

function tallied(readings: readonly HealthReading[], nameOf: (name: string) => string = (name) => name): Tally {
  const tally: Tally = new Map();
  for (const { name, value } of readings) add(tally, nameOf(name), value);
  return tally;
}

/** Name, count and sum, in the order of the names; sums to a billionth, for halves of a sum differ in the last digits. */
function table(tally: Tally): readonly string[] {
  return [...tally].map(([name, [count, sum]]) => `${name} ${count} ${Number(sum.toPrecision(9))}`).toSorted();
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

describe("node health of real machines", () => {
  it.skipIf(!hasFolder)("needs the corpus: every file of node_health has its class, and no file is told for another's", () => {
    const found = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(FOLDER.length + 1));
    expect(found.filter((file) => classOf(file) === undefined)).toEqual([]);
    expect(Object.keys(FILES).filter((file) => !found.includes(file))).toEqual([]);
    const CLASS_OF_FORMAT: Readonly<Record<string, FileClass>> = { "nvidia-smi-xml": "nvidia-smi", "sysfs-json": "infiniband" };
    for (const file of found) {
      const format = detectHealthFormat(readFileSync(join(FOLDER, file)).subarray(0, 1 << 16))?.id ?? null;
      const wanted = classOf(file) ?? "";
      const isRead = !wanted.startsWith("other:") && wanted !== "nccl";
      expect({ file, format: format === null ? null : (CLASS_OF_FORMAT[format] ?? format) }).toEqual({
        file,
        format: isRead ? wanted : null,
      });
    }
  });

  it.skipIf(!hasFolder)("needs the corpus: kernel logs give as many events of each kind and XID as grep counts", () => {
    let xids = 0;
    for (const file of filesOf("kernel-log")) {
      const { text, events } = read(file);
      const kinds = (kind: string): number => events.filter((event) => event.kind === kind).length;
      expect({
        file,
        xid: kinds("xid"),
        oom: kinds("oom"),
        nccl: kinds("nccl"),
        linkUp: kinds("link-up"),
        kernel: kinds("kernel"),
        all: events.length,
      }).toEqual({
        file,
        xid: count(text, /NVRM: Xid \(/g),
        // In this corpus each of these lines is about another process or another time.
        oom: count(text, /oom-kill:|Out of memory: Kill|oom_reaper: reaped/g),
        nccl: count(text, /segfault at .* in libnccl/g),
        linkUp: count(text, /8051: Link up|: ib\d: link becomes ready/g),
        kernel: count(text, /segfault at .* in (?!libnccl)|blocked for more than|invalid context|Rate limiting GSP/g),
        all: count(
          text,
          /NVRM: Xid \(|oom-kill:|Out of memory: Kill|oom_reaper: reaped|segfault at|8051: Link up|: ib\d: link becomes ready|blocked for more than|invalid context|Rate limiting GSP/g,
        ),
      });
      for (const [, code] of text.matchAll(/NVRM: Xid \([^)]*\): (\d+)/g)) {
        xids += 1;
        expect(events.filter((event) => event.code === Number(code)).length).toBe(
          count(text, new RegExp(`NVRM: Xid \\([^)]*\\): ${code},`, "g")),
        );
      }
      expect(events.filter(({ timeMs }) => timeMs === null)).toEqual([]);
    }
    expect(xids).toBe(22);
  });

  it.skipIf(!hasFolder)("needs the corpus: the fabric manager's log gives its errors and warnings", () => {
    for (const file of filesOf("fabric-manager")) {
      const { text, events } = read(file);
      expect(events.length).toBe(count(text, /\] \[(?:ERROR|WARNING|CRITICAL)\] /g));
      expect(events).toMatchObject([{ kind: "fabric-manager", code: 12028, severity: "warning", line: 100 }]);
    }
  });

  it.skipIf(!hasFolder)("needs the corpus: NCCL's warnings in trainers' logs are all told", () => {
    for (const file of filesOf("nccl")) {
      const { text, events } = read(file);
      expect({ file, events: events.length }).toEqual({ file, events: count(text, /NCCL WARN|Watchdog caught collective/g) });
    }
  });

  it.skipIf(!hasFolder)("needs the corpus: nvidia-smi's readings are those of an independent count, each metric's sum the same", () => {
    for (const file of filesOf("nvidia-smi")) {
      const { text, readings } = read(file);
      const counted: Tally = new Map();
      if (file.endsWith(".xml")) countXml(text, counted);
      else for (const counting of [countQueryText, countNvlink, countCsv]) counting(text, counted);
      expect({ file, readings: table(tallied(readings)) }).toEqual({ file, readings: table(counted) });
      expect(readings.length).toBeGreaterThan(0);
    }
  });

  it.skipIf(!hasFolder)("needs the corpus: InfiniBand's readings are those of an independent count", () => {
    for (const file of filesOf("infiniband")) {
      const { text, readings } = read(file);
      const counted: Tally = new Map();
      const isSysfs = file.endsWith(".json");
      if (isSysfs) countSysfs(text, counted);
      else countTools(text, counted);
      expect({ file, readings: table(isSysfs ? tallied(readings) : tallied(readings, toolName)) }).toEqual({
        file,
        readings: table(counted),
      });
      expect(readings.length).toBeGreaterThan(0);
    }
  });

  it.skipIf(!hasFolder)("needs the corpus: the node with an interface down shows exactly that one", () => {
    const down = read("gcm_node_ib_operstate_down.json").readings.filter(({ name, value }) => name === "node_network_up" && value === 0);
    expect(down.map(({ labels }) => labels)).toEqual([{ device: "ib4" }]);
    expect(read("gcm_node_learn_good.json").readings.filter(({ name, value }) => name === "node_network_up" && value === 0)).toEqual([]);
  });

  it.skipIf(!hasFolder)("needs the corpus: expositions come through as readings (exposition.test.ts counts them)", () => {
    for (const file of filesOf("exposition")) {
      const { format, text, readings } = read(file);
      const plain = text.split("\n").filter((line) => /^[a-zA-Z_:][\w:]*(\{[^{}]*\})? (?:[+-]?[\d.]\S*|NaN|[+-]Inf)$/.test(line));
      expect({ file, format, readings: readings.length }).toEqual({
        file,
        format: "exposition",
        readings: new Set(plain.map((line) => line.slice(0, line.lastIndexOf(" ")))).size,
      });
    }
  });

  it.skipIf(!existsSync(XID_TABLE))("needs the reference table: the XID catalogue has its numbers, symbols and policy", () => {
    const rows = readFileSync(XID_TABLE, "utf8")
      .trim()
      .split("\n")
      .slice(1)
      .map((row) => row.split(",").slice(0, 4));
    expect(XIDS.map(({ number, name, policy }) => [String(number), name, policy])).toEqual(
      rows.map(([xid, name, , policy]) => [xid, name, policy]),
    );
  });
});

import { createHash } from "node:crypto";
import type { FrameDictionary } from "@trainwatch/core";
import { EXPORTERS, type ExporterName, type SimulatedFleet, type SimulatedNode } from "@trainwatch/simulate";
import { nodeLabels } from "../agent/sources/node-labels.ts";
import type { ReadingBatch } from "../agent/source.ts";

/** Coarser than live readings: an hour of 16 nodes is to be there within seconds. */
const HISTORY_EVERY_MS = 30_000;
/** Times a request: some megabytes. */
const TIMES_A_REQUEST = 6;

export interface HistoryOptions {
  readonly fromMs: number;
  readonly toMs: number;
  /** Label `instance` of a node's exporters, as their scrapes have it. */
  readonly instanceOf: (node: SimulatedNode) => string;
}

/** Readings of all nodes over a time that has passed, in portions for one request each, oldest first. */
export function* fleetHistory(
  { nodes }: SimulatedFleet,
  { fromMs, toMs, instanceOf }: HistoryOptions,
): Generator<readonly ReadingBatch[], void, undefined> {
  const targets = nodes.flatMap((node) => EXPORTERS.map((exporter) => target(node, exporter, instanceOf(node))));
  let portion: ReadingBatch[] = [];
  let times = 0;
  for (let timeMs = fromMs; timeMs < toMs; timeMs += HISTORY_EVERY_MS) {
    portion.push(...targets.flatMap((read) => read(timeMs) ?? []));
    if (++times % TIMES_A_REQUEST !== 0) continue;
    yield portion;
    portion = [];
  }
  if (portion.length > 0) yield portion;
}

function target(node: SimulatedNode, exporter: ExporterName, instance: string): (timeMs: number) => ReadingBatch | null {
  const shared = nodeLabels({ host: node.host, machineId: node.machineId, bootId: null, rack: node.rack }, exporter, instance);
  const dictionaries = new Map<string, FrameDictionary>();
  return (timeMs) => {
    const scrape = node.scrape(exporter, timeMs);
    if (scrape === null) return null;
    const { version, series, values } = scrape;
    // As the agent does it: a node's labels win over what an exporter says of itself.
    const dictionary =
      dictionaries.get(version) ??
      dictionaryOf(
        shared,
        series.map(([name, labels]) => [name, withoutShared(labels, shared)] as const),
      );
    dictionaries.set(version, dictionary);
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    return { dictionary, rows: [{ dictionary: 0, timeMs: node.clockAt(timeMs), presence: null, values: bytes }], count: values.length };
  };
}

function dictionaryOf(shared: Readonly<Record<string, string>>, series: NonNullable<FrameDictionary["series"]>): FrameDictionary {
  const digest = createHash("sha256")
    .update(JSON.stringify([shared, series]))
    .digest("hex");
  return { digest, shared, series };
}

function withoutShared(
  labels: Readonly<Record<string, string>>,
  shared: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name in shared ? `exported_${name}` : name, value]));
}

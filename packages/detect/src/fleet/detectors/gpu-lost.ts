import { gpuOf } from "@trainwatch/core";
import { evidence } from "../../finding/make-finding.ts";
import type { FleetTick } from "../contract.ts";
import { HOLD_PARAMETERS } from "../engine/choose.ts";
import { defineFleetDetector } from "../engine/define.ts";
import type { FleetBody, FleetKit } from "../engine/define.ts";
import { FieldCoverage } from "../engine/field-coverage.ts";
import { columnOf, isRead, rowsOf } from "../engine/rows.ts";
import { called, numberOf, seenOf } from "../engine/sighting.ts";
import { storedPart } from "../engine/stored-part.ts";
import { indexOf } from "../engine/topology.ts";
import type { TopologyIndex } from "../engine/topology.ts";
import { counted, say } from "../engine/words.ts";

/** What every exporter gives of a GPU that it sees. */
const FIELDS = [
  "DCGM_FI_DEV_GPU_TEMP_CELSIUS",
  "DCGM_FI_DEV_BOARD_POWER_WATTS",
  "DCGM_FI_DEV_GPU_UTIL_RATIO",
  "nvidia_smi_temperature_gpu",
  "nvidia_smi_power_draw_watts",
];

const PARAMETERS = [
  { name: "missed", value: 2, unit: "scrapes", meaning: "Scrapes of its node in a row without the GPU" },
  { name: "others", value: 0.5, unit: "share", meaning: "Share of the node's GPUs that must go on: else it is the exporter" },
  ...HOLD_PARAMETERS,
] as const;

interface PhysicalGpu {
  readonly id: string;
  /** Its first place in the topology. */
  readonly at: number;
}

interface Layout {
  /** First place of each place's GPU: MIG instances share one. */
  readonly first: Int32Array;
  readonly ids: ReadonlySet<string>;
  readonly nodes: ReadonlyMap<string, readonly PhysicalGpu[]>;
}

const LAYOUTS = new WeakMap<TopologyIndex, Layout>();

function layoutOf(index: TopologyIndex): Layout {
  const known = LAYOUTS.get(index);
  if (known !== undefined) return known;
  const places = new Map<string, number>();
  const nodes = new Map<string, PhysicalGpu[]>();
  const first = Int32Array.from(index.topology.gpus, ({ id, nodeId }, at) => {
    const gpu = gpuOf(id);
    const before = places.get(gpu);
    if (before !== undefined) return before;
    places.set(gpu, at);
    const own = nodes.get(nodeId) ?? [];
    own.push({ id: gpu, at });
    nodes.set(nodeId, own);
    return at;
  });
  const layout = { first, ids: new Set(places.keys()), nodes };
  LAYOUTS.set(index, layout);
  return layout;
}

interface Seen {
  lastMs: number;
  missed: number;
}

function start({ chosen, book, stored }: FleetKit<(typeof PARAMETERS)[number]["name"]>): FleetBody {
  const coverage = new FieldCoverage(FIELDS);
  /** GPUs that were seen, and how many scrapes of their node they have missed. Those that miss none are not stored. */
  const seen = new Map<string, Seen>();
  for (const [id, own] of Object.entries(storedPart(stored, "seen") ?? {}))
    if (Array.isArray(own)) seen.set(id, { lastMs: Number(own[0]), missed: Number(own[1]) });
  let unseen = unseenOf(storedPart(stored, "unseen"));
  let tickMs = Number(storedPart(stored, "tickMs") ?? Number.NaN);
  const nodeMs = new Map<string, number>();

  /** After a restart: whoever is not in the state was read at the last tick, but for those that never were. */
  const remember = (all: ReadonlySet<string>): void => {
    if (unseen === null) return;
    for (const id of all) if (!seen.has(id) && !unseen.has(id)) seen.set(id, { lastMs: tickMs, missed: 0 });
    unseen = null;
  };

  let ids: ReadonlySet<string> = new Set();

  /** Newest reading of each physical GPU, by the first place of it in the topology. */
  const newest = (tick: FleetTick, layout: Layout): Float64Array => {
    const times = new Float64Array(layout.first.length);
    for (const field of FIELDS) {
      const column = columnOf(tick, field);
      if (column === null) continue;
      const { gpu } = rowsOf(column, tick);
      for (let row = 0; row < column.values.length; row++) {
        // A MIG instance that is gone is a set-up, and no lost GPU: it speaks for the GPU.
        const at = layout.first[gpu[row] ?? -1] ?? -1;
        if (at < 0 || !isRead(column, row)) continue;
        times[at] = Math.max(times[at] ?? 0, column.timesMs[row] ?? 0);
      }
    }
    return times;
  };

  const judgeNode = (tick: FleetTick, nodeId: string, gpus: readonly PhysicalGpu[], times: Float64Array): void => {
    let atMs = 0;
    for (const { at } of gpus) atMs = Math.max(atMs, times[at] ?? 0);
    const beforeMs = nodeMs.get(nodeId) ?? (Number.isNaN(tickMs) ? Number.POSITIVE_INFINITY : tickMs);
    const isNew = atMs > beforeMs;
    if (isNew || !nodeMs.has(nodeId)) nodeMs.set(nodeId, atMs);
    let known = 0;
    let going = 0;
    let isMissing = false;
    for (const { id, at } of gpus) {
      const timeMs = times[at] ?? 0;
      const own = seen.get(id);
      if (timeMs > (own?.lastMs ?? 0)) {
        if (own === undefined) seen.set(id, { lastMs: timeMs, missed: 0 });
        else Object.assign(own, { lastMs: timeMs, missed: 0 });
        known++;
        going++;
      } else if (own !== undefined) {
        if (isNew) own.missed++;
        known++;
        going += Number(own.missed === 0);
        isMissing ||= own.missed >= chosen("missed");
      }
    }
    if (!isMissing || going === 0 || going < chosen("others") * known) return;
    for (const { id } of gpus) {
      const own = seen.get(id);
      if (own === undefined || own.missed < chosen("missed")) continue;
      const numbers = { missed: own.missed, going };
      const value = (tick.timeMs - own.lastMs) / 1000;
      book.see(
        seenOf(tick, "gpu", id, { what: "silent", severity: "critical", onsetMs: own.lastMs, value, numbers, metric: "gpu series" }),
        tick.timeMs,
      );
    }
  };

  return {
    tick(tick) {
      coverage.note(tick);
      const layout = layoutOf(indexOf(tick.topology));
      const times = newest(tick, layout);
      remember(layout.ids);
      if (seen.size > layout.ids.size) for (const id of seen.keys()) if (!layout.ids.has(id)) seen.delete(id);
      for (const [nodeId, gpus] of layout.nodes) judgeNode(tick, nodeId, gpus, times);
      for (const event of tick.events) {
        const id = event.entity?.kind === "gpu" ? event.entity.id : null;
        if (event.kind === "gpu-lost") {
          const seenLost = {
            what: "told",
            severity: "critical",
            onsetMs: event.timeMs,
            value: null,
            words: { text: event.text },
            metric: "gpu series",
          } as const;
          const isNamed = id !== null && !id.startsWith("pci:");
          book.see(isNamed ? seenOf(tick, "gpu", id, seenLost) : seenOf(tick, "node", event.nodeId, seenLost), tick.timeMs);
        }
        if (event.kind === "gpu-replaced" && id !== null) book.end(id, event.timeMs);
      }
      tickMs = tick.timeMs;
      ids = layout.ids;
      for (const { key, subject } of book.open()) {
        // A GPU that no node has any more was taken out; one that was told lost and reads again is back.
        if (subject.kind === "gpu" && !layout.ids.has(subject.id)) book.end(key, tick.timeMs);
        else if (subject.kind === "gpu" && seen.get(subject.id)?.missed === 0) book.calm(key, tick.timeMs);
      }
    },
    tell(episode) {
      const text = episode.words["text"];
      const silentS = episode.peak ?? 0;
      return {
        summary:
          episode.what === "told"
            ? `${called(episode)} is lost: ${text?.replace(/\.+$/, "") ?? "its driver says so"}`
            : `${called(episode)} is lost: no reading for ${say(silentS)} s while its node goes on`,
        evidence: [
          ...(text === undefined ? [] : [evidence("for", text, null, null, "kernel log")]),
          ...(episode.what === "told"
            ? []
            : [
                evidence(
                  "for",
                  `${counted(numberOf(episode, "missed"), "scrape")} without it, ${counted(numberOf(episode, "going"), "other GPU")} of the node read on`,
                  silentS,
                  "s",
                  "readings of the GPU",
                ),
              ]),
          evidence("against", "An exporter that was told to leave a GPU out looks the same", null, null, null),
        ],
        facts: [{ fact: "gpu-lost", value: null }],
        state: episode.endMs === null ? "stalled" : "recovered",
      };
    },
    state: () => ({
      seen: Object.fromEntries([...seen].filter(([, { missed }]) => missed > 0).map(([id, { lastMs, missed }]) => [id, [lastMs, missed]])),
      // Of the GPUs that never were read; where most are not there is nothing to go on from.
      unseen: ids.size <= 2 * seen.size ? [...ids].filter((id) => !seen.has(id)) : null,
      tickMs: Number.isNaN(tickMs) ? null : tickMs,
    }),
    coverage: () => coverage.coverage(),
  };
}

function unseenOf(stored: unknown): ReadonlySet<string> | null {
  return Array.isArray(stored) ? new Set(stored.map(String)) : null;
}

export const gpuLost = defineFleetDetector(
  {
    id: "gpu-lost",
    version: 1,
    title: "Lost GPU",
    finds: "A GPU whose readings end while those of its node's other GPUs go on, or that the driver says is gone.",
    source: "Absence of data is a signal: arXiv 2603.28781, detection.md 0.9; gpu-lost lines of the driver",
    fields: FIELDS,
  },
  PARAMETERS,
  start,
);

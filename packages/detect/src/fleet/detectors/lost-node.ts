import { evidence } from "../../finding/make-finding.ts";
import { FLEET_TICK_MS } from "../contract.ts";
import type { FleetTick } from "../contract.ts";
import { HOLD_PARAMETERS } from "../engine/choose.ts";
import { defineFleetDetector } from "../engine/define.ts";
import type { Coverage, FleetBody, FleetKit } from "../engine/define.ts";
import type { Episode } from "../engine/episode.ts";
import type { FleetTelling } from "../engine/fleet-finding.ts";
import { seenOf, called, numberOf } from "../engine/sighting.ts";
import { counted, percent, say } from "../engine/words.ts";
import { indexOf } from "../engine/topology.ts";
import { EmptiedNodes } from "../scrape/emptied-nodes.ts";
import { ScrapeClock } from "../scrape/scrape-clock.ts";

const METRIC = "last sample";
const SOURCE_KEY = "source";
const DAY_MS = 86_400_000;

const PARAMETERS = [
  {
    name: "false_a_day",
    value: 0.02,
    unit: "1/day",
    meaning: "False alarms allowed on the whole fleet: decides how many missed scrapes make a lost node, by how many are missed of late",
  },
  { name: "least_missed", value: 2, unit: "scrapes", meaning: "Fewest missed scrapes: the third is due within the next tick" },
  { name: "most_missed", value: 6, unit: "scrapes", meaning: "Most missed scrapes that are waited for" },
  { name: "slack", value: 0.2, unit: "intervals", meaning: "A scrape is missed when it is so much late" },
  { name: "least_scrapes", value: 3, unit: "scrapes", meaning: "Scrapes from which a node's interval is learnt; before, it is not judged" },
  {
    name: "old_s",
    value: 600,
    unit: "s",
    meaning: "A node already silent for so long when the watch begins was gone before, and is not told",
  },
  {
    name: "source_share",
    value: 0.2,
    unit: "share",
    meaning: "More than so many of the reporting nodes silent at once are a source that is down, and one finding",
  },
  { name: "source_nodes", value: 3, unit: "nodes", meaning: "And at least so many" },
  ...HOLD_PARAMETERS,
] as const;
type Name = (typeof PARAMETERS)[number]["name"];

/** Nodes by what the newest tick says of them. */
interface Silence {
  /** Judged nodes that report, and those that have gone silent. */
  reporting: string[];
  silent: Silent[];
  /** Last readings of those that report. */
  reportingMs: number[];
}

interface Silent {
  readonly id: string;
  readonly lastMs: number;
  readonly intervalMs: number;
}

/** Of nodes whose last reading is within so much of an interval after that of a silent node: they may have fallen silent with it. */
const TOGETHER = 0.9;

function start({ chosen, book, stored }: FleetKit<Name>): FleetBody {
  const clock = new ScrapeClock({ least: chosen("least_scrapes"), oldMs: chosen("old_s") * 1000 }, stored);
  const emptied = new EmptiedNodes(stored);
  let seen: Coverage = { sees: false, why: "nothing has been read yet" };

  const silenceOf = (tick: FleetTick): Silence => {
    const silence: Silence = { reporting: [], silent: [], reportingMs: [] };
    clock.keepOnly(indexOf(tick.topology).nodeAt);
    emptied.note(tick.topology, tick.lastSampleAtMs);
    const ofFleet = missedFor(clock.missed, tick.topology.nodes.length, FLEET_TICK_MS, chosen);
    for (const { id, cordoned } of tick.topology.nodes) {
      const lastMs = tick.lastSampleAtMs.get(id) ?? null;
      const learnt = clock.note(id, lastMs, tick.timeMs);
      // Nobody minds a cordoned node or one that is called otherwise by now; one that never reported has no exporter.
      if (learnt === null || lastMs === null || cordoned || emptied.has(id)) continue;
      const limit = chosen("slack") + Math.max(ofFleet, missedFor(learnt.missed, 1, learnt.intervalMs, chosen));
      // By the node's own clock, as far as that is behind.
      const heardMs = lastMs + learnt.behindMs;
      if (tick.timeMs - heardMs < limit * learnt.intervalMs) {
        silence.reporting.push(id);
        silence.reportingMs.push(heardMs);
      } else silence.silent.push({ id, lastMs: heardMs, intervalMs: learnt.intervalMs });
    }
    return silence;
  };

  const source = (tick: FleetTick, { reporting, silent }: Silence, fresh: readonly Silent[]): boolean => {
    const open = book.get(SOURCE_KEY);
    const all = reporting.length + silent.length;
    const isMany = fresh.length >= chosen("source_nodes") && fresh.length > chosen("source_share") * all;
    const isStillDown = open !== null && open.endMs === null && fresh.length > (chosen("source_share") * all) / 2;
    if (!isMany && !isStillDown && (reporting.length > 0 || fresh.length === 0)) {
      if (all > 0) book.end(SOURCE_KEY, tick.timeMs);
      return false;
    }
    const share = fresh.length / all;
    book.see(
      {
        key: SOURCE_KEY,
        what: "source",
        metric: METRIC,
        subject: { kind: "logger", id: "fleet source" },
        place: null,
        severity: "critical",
        onsetMs: Math.min(...fresh.map(({ lastMs }) => lastMs)),
        value: fresh.length,
        baseline: null,
        numbers: { nodes: fresh.length, all, share },
      },
      tick.timeMs,
    );
    return true;
  };

  return {
    tick(tick) {
      const silence = silenceOf(tick);
      const { reporting, silent } = silence;
      seen = coverageOf(tick, reporting.length + silent.length);
      for (const id of reporting) book.calm(id, tick.timeMs);
      // Neither a node that is out of service nor one that the fleet has no more, or knows by another name, is missed.
      const { nodeAt, cordoned } = indexOf(tick.topology);
      const isMissed = (id: string): boolean => nodeAt.has(id) && !cordoned.has(id) && !emptied.has(id);
      for (const { key, what } of book.open()) if (what === "node" && !isMissed(key)) book.end(key, tick.timeMs);
      const isOpen = (id: string): boolean => book.get(id)?.endMs === null;
      const fresh = silent.filter(({ id }) => !isOpen(id));
      const isSourceDown = source(tick, silence, fresh);
      const isUnsure = !isSourceDown && mayBeSource(silence, fresh, chosen);
      for (const { id, lastMs, intervalMs } of silent) {
        // A source that is down keeps its children quiet; what was lost before stays lost.
        if ((isSourceDown || isUnsure) && !isOpen(id)) continue;
        const numbers = { intervalS: intervalMs / 1000, reporting: reporting.length };
        book.see(
          seenOf(tick, "node", id, {
            what: "node",
            metric: METRIC,
            severity: "critical",
            onsetMs: lastMs,
            value: (tick.timeMs - lastMs) / 1000,
            numbers,
          }),
          tick.timeMs,
        );
      }
    },
    tell,
    state: () => ({ ...clock.store(), emptied: emptied.store() }),
    coverage: () => seen,
  };
}

/** Missed scrapes in a row that come by chance on `nodes` nodes no more often than is allowed, where so large a share of all is missed. */
function missedFor(share: number, nodes: number, intervalMs: number, chosen: FleetKit<Name>["chosen"]): number {
  const scrapes = nodes * (DAY_MS / intervalMs);
  let missed = chosen("least_missed");
  while (missed < chosen("most_missed") && scrapes * share ** missed > chosen("false_a_day")) missed++;
  return missed;
}

/**
 * Nodes that fell silent at one moment cross their limits over an interval's time. As long as the last readings of many lie where those of the silent ones do, the next
 * tick decides whether it is a source or some nodes.
 */
function mayBeSource({ reporting, silent, reportingMs }: Silence, fresh: readonly Silent[], chosen: FleetKit<Name>["chosen"]): boolean {
  if (fresh.length === 0) return false;
  const untilMs = Math.min(...fresh.map(({ lastMs, intervalMs }) => lastMs + TOGETHER * intervalMs));
  const together = fresh.length + reportingMs.filter((lastMs) => lastMs < untilMs).length;
  return together >= chosen("source_nodes") && together > chosen("source_share") * (reporting.length + silent.length);
}

function coverageOf(tick: FleetTick, judged: number): Coverage {
  if (judged > 0) return { sees: true, why: null };
  const hasSamples = [...tick.lastSampleAtMs.values()].some((lastMs) => lastMs !== null);
  return { sees: false, why: hasSamples ? "the interval of no node's scrapes is known yet" : "no node has ever reported" };
}

function tell(episode: Episode): FleetTelling {
  if (episode.what === "source") {
    const nodes = numberOf(episode, "nodes");
    return {
      summary: `${counted(nodes, "node")} of ${say(numberOf(episode, "all"))} fell silent at once: a source of readings is down, not the nodes`,
      evidence: [
        evidence("for", `${percent(numberOf(episode, "share"))} of the reporting nodes stopped together`, nodes, "nodes", METRIC),
        evidence("against", "A power or network failure of many racks would look the same from here", null, null, null),
      ],
      facts: [],
      state: episode.endMs === null ? "stalled" : "recovered",
    };
  }
  const silentS = episode.peak ?? 0;
  return {
    summary: `${called(episode)} is lost: nothing from it for ${say(silentS)} s, it used to report every ${say(numberOf(episode, "intervalS"))} s`,
    evidence: [
      evidence("for", "Scrapes missed in a row", silentS / Math.max(1, numberOf(episode, "intervalS")), "intervals", METRIC),
      evidence(
        "for",
        `${counted(numberOf(episode, "reporting"), "other node")} went on reporting`,
        numberOf(episode, "reporting"),
        "nodes",
        METRIC,
      ),
      evidence("against", "Its exporter or its network alone may be down while its GPUs work", null, null, null),
    ],
    facts: [{ fact: "node-lost", value: null }],
    state: episode.endMs === null ? "stalled" : "recovered",
  };
}

export const lostNode = defineFleetDetector(
  {
    id: "lost-node",
    version: 1,
    title: "Lost node",
    finds: "A node that stops reporting while its peers go on; many at once are one source that is down.",
    source: "Three missed scrapes: detection.md C.4 (gap), ByteRobust; one finding for a source that is down: grafana#77800 (G3)",
    fields: [],
  },
  PARAMETERS,
  start,
);

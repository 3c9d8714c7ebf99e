import { sxidVerdict } from "@trainwatch/core";
import { evidence } from "../../finding/make-finding.ts";
import { isBurstOver } from "../engine/burst-over.ts";
import type { ToldBurst } from "../engine/burst-over.ts";
import { HOLD_PARAMETERS } from "../engine/choose.ts";
import { defineFleetDetector } from "../engine/define.ts";
import type { FleetBody, FleetKit } from "../engine/define.ts";
import { FieldCoverage } from "../engine/field-coverage.ts";
import { called, numberOf, seenOf } from "../engine/sighting.ts";
import { counted } from "../engine/words.ts";

/** Not judged: they tell whether anybody reads the switches' errors. The gauges' changes come as events. */
const FIELDS = ["DCGM_FI_DEV_SXID_FATAL_ERROR", "DCGM_FI_DEV_SXID_NON_FATAL_ERROR", "trainwatch_agent_source_up"];

const PARAMETERS = [
  { name: "silence_s", value: 180, unit: "s", meaning: "A burst is over after so long without another" },
  { name: "quiet_s", value: 21_600, unit: "s", meaning: "A fatal error stays open so long after its last line, or until a reboot" },
  ...HOLD_PARAMETERS,
] as const;

interface SeenBurst extends ToldBurst {
  readonly count: number;
}

function start({ chosen, book, stored }: FleetKit<(typeof PARAMETERS)[number]["name"]>): FleetBody {
  const coverage = new FieldCoverage(FIELDS);
  const bursts = burstsOf(stored);
  let hasEvents = false;
  return {
    tick(tick) {
      coverage.note(tick);
      for (const [id, burst] of bursts) if (isBurstOver(burst, tick.timeMs, chosen("silence_s") * 1000)) bursts.delete(id);
      for (const event of tick.events) {
        if (event.kind === "reboot") {
          for (const { key, place, onsetMs } of book.open())
            if (place?.nodeId === event.nodeId && event.timeMs > onsetMs) book.end(key, event.timeMs);
          continue;
        }
        if (event.kind !== "sxid" || event.code === null) continue;
        hasEvents = true;
        const known = bursts.get(String(event.id));
        const grown = event.count - (known?.count ?? 0);
        bursts.set(String(event.id), { count: event.count, lastMs: event.lastTimeMs, toldMs: tick.timeMs });
        if (grown <= 0) continue;
        const { severity, action } = sxidVerdict(event.code, event.text);
        const [kind, id] = event.entity?.kind === "switch" ? (["switch", event.entity.id] as const) : (["node", event.nodeId] as const);
        const key = `${id}|${event.code}`;
        const count = (book.get(key)?.numbers["count"] ?? 0) + grown;
        const numbers = { code: event.code, count };
        const words = { text: event.text, action };
        book.see(
          {
            ...seenOf(tick, kind, id, {
              what: "sxid",
              severity,
              onsetMs: event.timeMs,
              value: count,
              numbers,
              words,
              metric: `sxid ${event.code}`,
            }),
            key,
          },
          tick.timeMs,
        );
      }
      for (const { key, severity, lastBadMs } of book.open())
        if (tick.timeMs - lastBadMs >= (severity === "critical" ? chosen("quiet_s") : chosen("silence_s")) * 1000)
          book.calm(key, tick.timeMs);
    },
    tell(episode) {
      const code = numberOf(episode, "code");
      const count = numberOf(episode, "count");
      return {
        summary: `${called(episode)} reported SXid ${code}${episode.severity === "critical" ? ", fatal" : ""} (${counted(count, "line")})`,
        evidence: [
          evidence("for", episode.words["text"] ?? "", count, "lines", "kernel log"),
          evidence("for", episode.words["action"] ?? "", code, null, "NVIDIA Fabric Manager user guide; NVSentinel"),
          evidence("against", "A GPU that fell off the bus, or is reset, takes its links at the switch down with it", null, null, null),
        ],
        facts: [{ fact: "gpu-error", value: code }],
        shape: "point",
      };
    },
    state: () => Object.fromEntries(bursts),
    coverage: () => (hasEvents ? { sees: true, why: null } : coverage.coverage()),
  };
}

function burstsOf(stored: unknown): Map<string, SeenBurst> {
  const bursts = new Map<string, SeenBurst>();
  for (const [id, burst] of Object.entries(typeof stored === "object" && stored !== null ? stored : {}))
    if (typeof burst === "object" && burst !== null && "count" in burst && "lastMs" in burst) {
      const lastMs = Number(burst.lastMs);
      bursts.set(id, { count: Number(burst.count), lastMs, toldMs: "toldMs" in burst ? Number(burst.toldMs) : lastMs });
    }
  return bursts;
}

export const sxid = defineFleetDetector(
  {
    id: "sxid",
    version: 1,
    title: "SXid",
    finds: "Errors that the driver reports of an NVSwitch: a fatal one takes its fabric down.",
    source: "Weight as the driver says it, action by NVSentinel's map: detection.md C.2",
    fields: FIELDS,
  },
  PARAMETERS,
  start,
);

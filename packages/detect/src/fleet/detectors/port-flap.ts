import { evidence } from "../../finding/make-finding.ts";
import { HOLD_PARAMETERS } from "../engine/choose.ts";
import { CounterTrack } from "../engine/counter-track.ts";
import { defineFleetDetector } from "../engine/define.ts";
import type { FleetBody, FleetKit } from "../engine/define.ts";
import { FieldCoverage } from "../engine/field-coverage.ts";
import { columnOf, rowsOf } from "../engine/rows.ts";
import { called, isReadIn, numberOf, seenOf } from "../engine/sighting.ts";
import { storedPart } from "../engine/stored-part.ts";
import { counted, say } from "../engine/words.ts";

const DOWNED = "node_infiniband_link_downed_total";

const PARAMETERS = [
  { name: "flaps", value: 3, unit: "times", meaning: "Times down within the window that are flapping" },
  { name: "window_h", value: 12, unit: "h", meaning: "The window" },
  { name: "down_s", value: 25, unit: "s", meaning: "By the log alone: a port that is up again sooner has not flapped" },
  ...HOLD_PARAMETERS,
] as const;

/** Times at which each port went down, of late; and since when the log says that it is down. */
interface Flaps {
  times: Record<string, number[]>;
  downSince: Record<string, number>;
}

function start({ chosen, book, stored }: FleetKit<(typeof PARAMETERS)[number]["name"]>): FleetBody {
  const coverage = new FieldCoverage([DOWNED]);
  const track = new CounterTrack(storedPart(stored, "track"));
  const flaps = flapsOf(storedPart(stored, "flaps"));
  let hasEvents = false;

  const note = (id: string, timeMs: number, count: number): void => {
    const times = (flaps.times[id] ??= []);
    for (let each = 0; each < Math.min(count, chosen("flaps")); each++) times.push(timeMs);
  };

  return {
    tick(tick) {
      coverage.note(tick);
      const column = columnOf(tick, DOWNED);
      const grown = new Set<string>();
      if (column !== null) {
        const { delta } = track.advance(column, tick.timeMs);
        for (let row = 0; row < delta.length; row++) {
          if (!((delta[row] ?? Number.NaN) > 0)) continue;
          const id = column.entities[row] ?? "";
          note(id, column.timesMs[row] ?? tick.timeMs, delta[row] ?? 0);
          grown.add(id);
        }
      }
      for (const event of tick.events) {
        const id = event.entity?.kind === "port" ? event.entity.id : null;
        // The counter of a port knows more than the log's lines.
        if (id === null || (column !== null && rowsOf(column, tick).rowOf(id) >= 0)) continue;
        if (event.kind === "link-down") flaps.downSince[id] = event.lastTimeMs;
        const downMs = flaps.downSince[id];
        if (event.kind !== "link-up" || downMs === undefined || event.lastTimeMs < downMs) continue;
        hasEvents = true;
        delete flaps.downSince[id];
        if (event.lastTimeMs - downMs < chosen("down_s") * 1000) continue;
        note(id, downMs, 1);
        grown.add(id);
      }
      const windowMs = chosen("window_h") * 3_600_000;
      for (const [id, times] of Object.entries(flaps.times)) {
        const recent = times.filter((timeMs) => tick.timeMs - timeMs <= windowMs).slice(-100);
        if (recent.length === 0) delete flaps.times[id];
        else flaps.times[id] = recent;
        if (!grown.has(id) || recent.length < chosen("flaps")) continue;
        const seen = {
          what: "flap",
          severity: "warning",
          onsetMs: recent[0] ?? tick.timeMs,
          value: recent.length,
          baseline: 0,
          metric: "port flaps",
        } as const;
        book.see(seenOf(tick, "port", id, { ...seen, numbers: { hours: chosen("window_h") } }), tick.timeMs);
      }
      book.calmUnseen(tick.timeMs, (episode) => isReadIn([column], tick)(episode) || column === null);
    },
    tell(episode) {
      return {
        summary: `${called(episode)} went down ${counted(episode.peak ?? 0, "time")} within ${say(numberOf(episode, "hours"))} hours`,
        evidence: [
          evidence("for", "It comes back each time: a cable or a transceiver that is loose or failing", episode.peak, "times", DOWNED),
          evidence(
            "against",
            "The switch at its other end may restart; other ports of that switch would go down with it",
            null,
            null,
            null,
          ),
        ],
        facts: [{ fact: "link-down", value: episode.peak }],
      };
    },
    state: () => ({ track: track.store(), flaps }),
    coverage: () => (hasEvents ? { sees: true, why: null } : coverage.coverage()),
  };
}

function flapsOf(stored: unknown): Flaps {
  const fresh: Flaps = { times: {}, downSince: {} };
  for (const [id, times] of Object.entries(storedPart(stored, "times") ?? {}))
    if (Array.isArray(times)) fresh.times[id] = times.map(Number);
  for (const [id, sinceMs] of Object.entries(storedPart(stored, "downSince") ?? {})) fresh.downSince[id] = Number(sinceMs);
  return fresh;
}

export const portFlap = defineFleetDetector(
  {
    id: "port-flap",
    version: 1,
    title: "Flapping network port",
    finds: "A network port that goes down and comes back again and again.",
    source: "gpud: down 25 s and up again, three times in twelve hours; detection.md C.1",
    fields: [DOWNED],
  },
  PARAMETERS,
  start,
);

import { evidence } from "../../finding/make-finding.ts";
import type { FleetColumn, FleetTick } from "../contract.ts";
import { HOLD_PARAMETERS } from "../engine/choose.ts";
import { CounterTrack } from "../engine/counter-track.ts";
import { defineFleetDetector } from "../engine/define.ts";
import type { FleetBody, FleetKit } from "../engine/define.ts";
import { FieldCoverage } from "../engine/field-coverage.ts";
import { Persistence } from "../engine/persist.ts";
import { RowNumbers } from "../engine/row-numbers.ts";
import { columnOf, isRead } from "../engine/rows.ts";
import { called, isReadIn, seenAt } from "../engine/sighting.ts";
import { storedPart } from "../engine/stored-part.ts";
import { percent } from "../engine/words.ts";

const STATE = "node_infiniband_state_id";
const DOWNED = "node_infiniband_link_downed_total";
const ACTIVE = 4;

const PARAMETERS = [
  { name: "readings", value: 3, unit: "readings", meaning: "Readings in a row in which the port is not active: a ticket" },
  { name: "drop_s", value: 240, unit: "s", meaning: "Down for so long without having been up in between: a drop, which pages" },
  {
    name: "peer_share",
    value: 0.9,
    unit: "share",
    meaning: "A port that never was up is missed where so many nodes have theirs of that name up",
  },
  { name: "peers", value: 8, unit: "nodes", meaning: "Fewest nodes that can say so" },
  ...HOLD_PARAMETERS,
] as const;

function start({ chosen, book, stored }: FleetKit<(typeof PARAMETERS)[number]["name"]>): FleetBody {
  const coverage = new FieldCoverage([STATE]);
  const down = new Persistence(storedPart(stored, "down"));
  const up = new RowNumbers([{ initial: 0, rest: 1 }], storedPart(stored, "up"));
  const downed = new CounterTrack(storedPart(stored, "downed"));
  /** When each port that is down was last seen to go down anew. */
  const anew = new Map<string, number>();

  const noteDowned = (tick: FleetTick): void => {
    const column = columnOf(tick, DOWNED);
    if (column === null) return;
    const { delta } = downed.advance(column, tick.timeMs);
    for (let row = 0; row < delta.length; row++)
      if ((delta[row] ?? Number.NaN) > 0) anew.set(column.entities[row] ?? "", column.timesMs[row] ?? tick.timeMs);
    for (const [id, timeMs] of anew) if (tick.timeMs - timeMs > 2 * chosen("drop_s") * 1000) anew.delete(id);
  };

  const judge = (tick: FleetTick, column: FleetColumn, wasUp: Float64Array): void => {
    const share = upByName(column, chosen("peers"));
    down.begin(column);
    for (let row = 0; row < column.values.length; row++) {
      if (!isRead(column, row)) continue;
      const isDown = column.values[row] !== ACTIVE;
      if (!isDown) wasUp[row] = 1;
      const id = column.entities[row] ?? "";
      const isMissed = isDown && (wasUp[row] === 1 || (share.get(nameIn(id)) ?? 0) >= chosen("peer_share"));
      if (down.note(row, column.timesMs[row] ?? tick.timeMs, isMissed) < chosen("readings")) continue;
      const sinceMs = down.since(row);
      const isDrop = tick.timeMs - Math.max(sinceMs, anew.get(id) ?? 0) >= chosen("drop_s") * 1000;
      const value = share.get(nameIn(id)) ?? null;
      book.see(
        seenAt(column, tick, row, "port", {
          what: isDrop ? "drop" : "down",
          severity: isDrop ? "critical" : "warning",
          onsetMs: sinceMs,
          value,
          metric: "port down",
        }),
        tick.timeMs,
      );
    }
  };

  return {
    tick(tick) {
      coverage.note(tick);
      noteDowned(tick);
      const column = columnOf(tick, STATE);
      const [wasUp] = column === null ? [] : up.align(column);
      if (column !== null && wasUp !== undefined) judge(tick, column, wasUp);
      book.calmUnseen(tick.timeMs, isReadIn([column], tick));
      // A node that is drained may have its ports taken down by hand.
      if (column !== null) for (const { id, cordoned } of tick.topology.nodes) if (cordoned) endPorts(id, tick);
    },
    tell(episode) {
      const share = episode.value;
      return {
        summary: `${called(episode)} is ${episode.what === "drop" ? "down and does not come back" : "down"}`,
        evidence: [
          evidence("for", "Its state is not active", null, null, STATE),
          ...(share === null ? [] : [evidence("for", `${percent(share)} of the nodes have theirs of this name up`, share, "share", STATE)]),
          evidence("against", "A switch or its uplink may be the cause: other ports of it would be down as well", null, null, null),
        ],
        facts: [{ fact: "link-down", value: 1 }],
      };
    },
    state: () => ({ down: down.store(), up: up.store(), downed: downed.store() }),
    coverage: () => coverage.coverage(),
  };

  function endPorts(nodeId: string, tick: FleetTick): void {
    for (const { key, place } of book.open()) if (place?.nodeId === nodeId) book.end(key, tick.timeMs);
  }
}

/** `mlx5_0:1` of `<node>/port/mlx5_0:1`. */
function nameIn(id: string): string {
  return id.slice(id.indexOf("/port/") + 6);
}

/** Share of the ports of one name that are up, where enough nodes have one. */
function upByName(column: FleetColumn, least: number): ReadonlyMap<string, number> {
  const counts = new Map<string, { read: number; up: number }>();
  for (let row = 0; row < column.values.length; row++) {
    if (!isRead(column, row)) continue;
    const name = nameIn(column.entities[row] ?? "");
    const own = counts.get(name) ?? { read: 0, up: 0 };
    own.read++;
    own.up += Number(column.values[row] === ACTIVE);
    counts.set(name, own);
  }
  return new Map([...counts].filter(([, { read }]) => read >= least).map(([name, { read, up }]) => [name, up / read]));
}

export const portDown = defineFleetDetector(
  {
    id: "port-down",
    version: 1,
    title: "Network port down",
    finds: "A network port that was up, or is up on nearly all nodes, and is down: a ticket at once, a page when it does not come back.",
    source: "gpud: down for four minutes without a new link_downed is a drop; detection.md C.1",
    fields: [STATE, DOWNED],
  },
  PARAMETERS,
  start,
);

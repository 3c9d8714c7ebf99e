import { gpuOf } from "@trainwatch/core";
import { evidence } from "../../finding/make-finding.ts";
import type { FleetColumn, FleetTick } from "../contract.ts";
import { HOLD_PARAMETERS } from "../engine/choose.ts";
import { defineFleetDetector } from "../engine/define.ts";
import type { FleetBody, FleetKit } from "../engine/define.ts";
import { FieldCoverage } from "../engine/field-coverage.ts";
import { linksOf } from "../engine/links.ts";
import { Persistence } from "../engine/persist.ts";
import { RowNumbers } from "../engine/row-numbers.ts";
import { columnOf, isRead, readingOf } from "../engine/rows.ts";
import { called, numberOf, seenOf } from "../engine/sighting.ts";
import { storedPart } from "../engine/stored-part.ts";
import { counted, percent } from "../engine/words.ts";

/** Both say 0 of a link that is not active; 1 active, 2 asleep. */
const FIELDS = ["DCGM_FI_DEV_NVLINK_GET_STATE", "nvidia_smi_nvlink_active"];

const PARAMETERS = [
  { name: "readings", value: 2, unit: "readings", meaning: "Readings in a row in which the link is down" },
  { name: "peer_share", value: 0.9, unit: "share", meaning: "A link that never was up is missed where so many GPUs have it up" },
  { name: "peers", value: 8, unit: "GPUs", meaning: "Fewest GPUs that can say so" },
  ...HOLD_PARAMETERS,
] as const;

function start({ chosen, book, stored }: FleetKit<(typeof PARAMETERS)[number]["name"]>): FleetBody {
  const coverage = new FieldCoverage(FIELDS);
  const kept = new Map(
    FIELDS.map((field) => {
      const own = storedPart(stored, field);
      // A link that was up is the rule; 0: never seen up.
      return [
        field,
        { down: new Persistence(storedPart(own, "down")), up: new RowNumbers([{ initial: 0, rest: 1 }], storedPart(own, "up")) },
      ];
    }),
  );

  const lookAt = (
    tick: FleetTick,
    column: FleetColumn,
    down: Persistence,
    wasUp: Float64Array,
  ): Map<string, { rows: number[]; sinceMs: number }> => {
    const { byNumber, number } = linksOf(column, tick);
    const upShare = byNumber.map((rows) => shareUp(column, rows, chosen("peers")));
    const found = new Map<string, { rows: number[]; sinceMs: number }>();
    down.begin(column);
    for (let row = 0; row < column.values.length; row++) {
      if (!isRead(column, row)) continue;
      const isDown = column.values[row] === 0;
      if (!isDown) wasUp[row] = 1;
      const isMissed = isDown && (wasUp[row] === 1 || (upShare[number[row] ?? -1] ?? 0) >= chosen("peer_share"));
      if (down.note(row, column.timesMs[row] ?? tick.timeMs, isMissed) < chosen("readings")) continue;
      const gpu = gpuOf(column.entities[row] ?? "");
      const own = found.get(gpu) ?? { rows: [], sinceMs: Number.POSITIVE_INFINITY };
      own.rows.push(row);
      own.sinceMs = Math.min(own.sinceMs, down.since(row));
      found.set(gpu, own);
    }
    return found;
  };

  return {
    tick(tick) {
      coverage.note(tick);
      for (const [field, { down, up }] of kept) {
        const column = columnOf(tick, field);
        const [wasUp] = column === null ? [] : up.align(column);
        if (column === null || wasUp === undefined) continue;
        for (const [gpu, { rows, sinceMs }] of lookAt(tick, column, down, wasUp)) {
          const links = rows.map((row) => column.entities[row] ?? "");
          const all = linksOf(column, tick).byGpu.find((own) => own.includes(rows[0] ?? -1))?.length ?? rows.length;
          // One finding a GPU: of the link that went down first, or of the GPU where several are.
          const [only] = links;
          const named =
            only !== undefined && links.length === 1 ? ({ kind: "link", id: only } as const) : ({ kind: "gpu", id: gpu } as const);
          const words = { links: links.map((id) => id.split("/link/")[1] ?? id).join(", "), field };
          const seen = {
            what: "down",
            severity: "critical",
            onsetMs: sinceMs,
            value: links.length,
            baseline: 0,
            numbers: { all },
            words,
            metric: "nvlink down",
          } as const;
          book.see({ ...seenOf(tick, named.kind, named.id, seen), key: gpu }, tick.timeMs);
        }
      }
      book.calmUnseen(tick.timeMs, ({ subject, words }) => {
        const gpu = gpuOf(subject.id);
        return (words["links"] ?? "")
          .split(", ")
          .some((link) => FIELDS.some((field) => readingOf(columnOf(tick, field), tick, `${gpu}/link/${link}`) !== null));
      });
    },
    tell(episode) {
      const down = episode.peak ?? 1;
      const all = Math.max(numberOf(episode, "all"), down);
      const whose =
        episode.subject.kind === "link" ? `${called(episode)} is down` : `${called(episode)} has ${counted(down, "NVLink")} down of ${all}`;
      return {
        summary: whose,
        evidence: [
          evidence(
            "for",
            `Link ${episode.words["links"] ?? ""} reads inactive; ${percent(down / all)} of the GPU's links`,
            down,
            "links",
            episode.words["field"] ?? null,
          ),
          evidence("against", "A GPU that is being reset or set up has its links down for a while", null, null, null),
        ],
        facts: [{ fact: "link-down", value: down }],
      };
    },
    state: () => Object.fromEntries([...kept].map(([field, { down, up }]) => [field, { down: down.store(), up: up.store() }])),
    coverage: () => coverage.coverage(),
  };
}

/** Share of a link number's GPUs on which it is up; 0 where too few read it. */
function shareUp(column: FleetColumn, rows: Int32Array, least: number): number {
  let read = 0;
  let up = 0;
  for (const row of rows) {
    if (!isRead(column, row)) continue;
    read++;
    if (column.values[row] !== 0) up++;
  }
  return read >= least ? up / read : 0;
}

export const nvlinkDown = defineFleetDetector(
  {
    id: "nvlink-down",
    version: 1,
    title: "NVLink down",
    finds: "An NVLink that was up, or is up on nearly all other GPUs, and is down.",
    source: "NVIDIA Health Validation: no inactive link (18 a GPU on GB200 and GB300); detection.md C.1",
    fields: FIELDS,
  },
  PARAMETERS,
  start,
);

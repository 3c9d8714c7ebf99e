import { evidence } from "../../finding/make-finding.ts";
import type { FleetTick } from "../contract.ts";
import { HOLD_PARAMETERS } from "../engine/choose.ts";
import { CounterTrack } from "../engine/counter-track.ts";
import { defineFleetDetector } from "../engine/define.ts";
import type { FleetBody, FleetKit } from "../engine/define.ts";
import type { Episode } from "../engine/episode.ts";
import { FieldCoverage } from "../engine/field-coverage.ts";
import type { FleetTelling } from "../engine/fleet-finding.ts";
import { Persistence } from "../engine/persist.ts";
import { columnOf, isRead, readingOf } from "../engine/rows.ts";
import { called, isReadIn, numberOf, seenAt } from "../engine/sighting.ts";
import { storedPart } from "../engine/stored-part.ts";
import { say } from "../engine/words.ts";
import { modelLevels } from "../engine/model-levels.ts";

const REPLAYS = "DCGM_FI_DEV_PCIE_REPLAY_TOTAL";
const GENERATIONS = ["DCGM_FI_DEV_PCIE_LINK_GEN", "nvidia_smi_pcie_link_gen_current"];
const WIDTHS = ["DCGM_FI_DEV_PCIE_LINK_WIDTH", "nvidia_smi_pcie_link_width_current"];
/** Replays a lane and minute that DCGM lets pass, by generation from 1. */
const LIMITS = [0.15, 0.3, 0.48, 0.96, 1.92, 3.84] as const;

const PARAMETERS = [
  { name: "generation", value: 5, unit: "generation", meaning: "Taken where no source tells the generation", least: 1, most: 6 },
  { name: "lanes", value: 16, unit: "lanes", meaning: "Taken where no source tells the width" },
  { name: "readings", value: 2, unit: "readings", meaning: "Readings in a row above the limit" },
  { name: "width_readings", value: 3, unit: "readings", meaning: "Readings in a row with fewer lanes than nearly all GPUs of the model" },
  { name: "peers", value: 8, unit: "GPUs", meaning: "Fewest GPUs of a model that say how many lanes it has" },
  ...HOLD_PARAMETERS,
] as const;

function start({ chosen, book, stored }: FleetKit<(typeof PARAMETERS)[number]["name"]>): FleetBody {
  const coverage = new FieldCoverage([REPLAYS, ...WIDTHS]);
  const track = new CounterTrack(storedPart(stored, "track"));
  const above = new Persistence(storedPart(stored, "above"));
  const narrow = new Map(WIDTHS.map((field) => [field, new Persistence(storedPart(storedPart(stored, "narrow"), field))]));
  const first = (tick: FleetTick, fields: readonly string[], id: string): number | null =>
    fields.map((field) => readingOf(columnOf(tick, field), tick, id)).find((value) => value !== null && value > 0) ?? null;

  const replays = (tick: FleetTick): void => {
    const column = columnOf(tick, REPLAYS);
    if (column === null) return;
    const { delta, spanMs } = track.advance(column, tick.timeMs);
    above.begin(column);
    for (let row = 0; row < delta.length; row++) {
      const grown = delta[row] ?? Number.NaN;
      const timeMs = column.timesMs[row] ?? tick.timeMs;
      if (Number.isNaN(grown)) continue;
      if (grown === 0) {
        above.note(row, timeMs, false);
        continue;
      }
      const id = column.entities[row] ?? "";
      const generation = Math.round(first(tick, GENERATIONS, id) ?? chosen("generation"));
      const lanes = first(tick, WIDTHS, id) ?? chosen("lanes");
      const limit = lanes * (LIMITS[Math.min(Math.max(generation, 1), LIMITS.length) - 1] ?? LIMITS[5]);
      const perMinute = (grown / (spanMs[row] ?? Number.NaN)) * 60_000;
      if (above.note(row, timeMs, perMinute > limit) < chosen("readings")) continue;
      const numbers = { generation, lanes };
      book.see(
        seenAt(column, tick, row, "gpu", {
          what: "replays",
          severity: "warning",
          onsetMs: above.since(row),
          value: perMinute,
          baseline: limit,
          numbers,
          isOwnFinding: true,
          metric: "pcie replays",
        }),
        tick.timeMs,
      );
    }
  };

  const widths = (tick: FleetTick): void => {
    for (const [field, persistence] of narrow) {
      const column = columnOf(tick, field);
      if (column === null) continue;
      persistence.begin(column);
      const usual = modelLevels(column, tick, chosen("peers"));
      for (let row = 0; row < column.values.length; row++) {
        if (!isRead(column, row)) continue;
        const value = column.values[row] ?? 0;
        const lanes = usual[row] ?? Number.NaN;
        const isNarrow = value > 0 && value < lanes;
        if (persistence.note(row, column.timesMs[row] ?? tick.timeMs, isNarrow) < chosen("width_readings")) continue;
        book.see(
          seenAt(column, tick, row, "gpu", {
            what: "width",
            severity: "warning",
            onsetMs: persistence.since(row),
            value,
            baseline: lanes,
            isOwnFinding: true,
            metric: "pcie width",
          }),
          tick.timeMs,
        );
      }
    }
  };

  return {
    tick(tick) {
      coverage.note(tick);
      replays(tick);
      widths(tick);
      const [ofReplays, ofWidths] = [
        isReadIn([columnOf(tick, REPLAYS)], tick),
        isReadIn(
          WIDTHS.map((field) => columnOf(tick, field)),
          tick,
        ),
      ];
      book.calmUnseen(tick.timeMs, (episode) => (episode.what === "replays" ? ofReplays : ofWidths)(episode));
    },
    tell,
    state: () => ({
      track: track.store(),
      above: above.store(),
      narrow: Object.fromEntries([...narrow].map(([field, persistence]) => [field, persistence.store()])),
    }),
    coverage: () => coverage.coverage(),
  };
}

function tell(episode: Episode): FleetTelling {
  const field = episode.words["field"] ?? null;
  if (episode.what === "width")
    return {
      summary: `${called(episode)} has ${say(episode.value ?? 0)} PCIe lanes, other GPUs of its model ${say(episode.baseline ?? 0)}`,
      evidence: [
        evidence("for", "Lanes were lost at or since the last start", episode.value, "lanes", field),
        evidence("against", "A slot may have fewer lanes by design", null, null, null),
      ],
      facts: [],
    };
  return {
    summary: `${called(episode)} repeats ${say(episode.peak ?? 0)} PCIe packets a minute, ${say(episode.baseline ?? 0)} are let pass`,
    evidence: [
      evidence(
        "for",
        `Limit of DCGM for ${say(numberOf(episode, "lanes"))} lanes of generation ${say(numberOf(episode, "generation"))}`,
        episode.peak,
        "1/min",
        field,
      ),
      evidence("against", "Every packet arrived in the end", null, null, null),
    ],
    facts: [],
  };
}

export const pcie = defineFleetDetector(
  {
    id: "pcie",
    version: 1,
    title: "PCIe replays and lanes",
    finds: "A GPU whose PCIe link repeats more than it may, or has fewer lanes than other GPUs of its model.",
    source: "DCGM 4.6: replays a lane and minute by generation; detection.md C.1",
    fields: [REPLAYS, ...GENERATIONS, ...WIDTHS],
  },
  PARAMETERS,
  start,
);

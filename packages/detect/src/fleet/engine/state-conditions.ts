import type { CauseFact, Evidence, Severity } from "@trainwatch/core";
import { evidence } from "../../finding/make-finding.ts";
import type { FleetColumn, FleetTick } from "../contract.ts";
import type { Chosen } from "./choose.ts";
import type { FleetBody, FleetKit } from "./define.ts";
import type { Episode } from "./episode.ts";
import { FieldCoverage } from "./field-coverage.ts";
import { Persistence } from "./persist.ts";
import { columnOf, isRead } from "./rows.ts";
import { called, isReadIn, seenAt } from "./sighting.ts";
import { storedPart } from "./stored-part.ts";

/** Something that a state says is wrong: a flag, a code, a count at its limit. */
export interface StateCondition<Name extends string> {
  readonly what: string;
  /** Sources of the same fact. */
  readonly fields: readonly string[];
  readonly kind: "gpu" | "link" | "port" | "node";
  /** Readings in a row that must say so. */
  readonly readings: number;
  /** How bad a reading is; null where it is fine. */
  judge(value: number, chosen: Chosen<Name>): Severity | null;
  /** `GPU 3 on c11-n07 …`: what follows the name. */
  says(episode: Episode): string;
  readonly speaksFor: string;
  readonly speaksAgainst: string;
  facts(episode: Episode): readonly CauseFact[];
}

/** A detector made of conditions on states: each is a finding of its own. */
export function stateBody<Name extends string>(
  { chosen, book, stored }: FleetKit<Name>,
  conditions: readonly StateCondition<Name>[],
): FleetBody {
  const fields = conditions.flatMap((condition) => condition.fields);
  const coverage = new FieldCoverage(fields);
  const held = new Map(fields.map((field) => [field, new Persistence(storedPart(stored, field))]));

  const judge = (tick: FleetTick, column: FleetColumn, condition: StateCondition<Name>): void => {
    const persistence = held.get(column.field);
    persistence?.begin(column);
    for (let row = 0; row < column.values.length; row++) {
      if (!isRead(column, row)) continue;
      const value = column.values[row] ?? 0;
      const timeMs = column.timesMs[row] ?? tick.timeMs;
      const severity = condition.judge(value, chosen);
      const readings = persistence?.note(row, timeMs, severity !== null) ?? 0;
      if (severity === null || readings < condition.readings) continue;
      const onsetMs = persistence?.since(row) ?? timeMs;
      const { what, kind } = condition;
      book.see(seenAt(column, tick, row, kind, { what, severity, onsetMs, value, isOwnFinding: true, metric: what }), tick.timeMs);
    }
  };

  return {
    tick(tick) {
      coverage.note(tick);
      for (const condition of conditions)
        for (const field of condition.fields) {
          const column = columnOf(tick, field);
          if (column !== null) judge(tick, column, condition);
        }
      book.calmUnseen(tick.timeMs, (episode) => {
        const own = conditions.find(({ what }) => what === episode.what);
        return isReadIn(own?.fields.map((field) => columnOf(tick, field)) ?? [], tick)(episode);
      });
    },
    tell(episode) {
      const condition = conditions.find(({ what }) => what === episode.what);
      if (condition === undefined) return { summary: `${called(episode)}: ${episode.what}`, evidence: [], facts: [] };
      return {
        summary: `${called(episode)} ${condition.says(episode)}`,
        evidence: evidenceOf(condition, episode),
        facts: condition.facts(episode),
      };
    },
    state: () => Object.fromEntries([...held].map(([field, persistence]) => [field, persistence.store()])),
    coverage: () => coverage.coverage(),
  };
}

function evidenceOf(
  { speaksFor, speaksAgainst }: Pick<StateCondition<string>, "speaksFor" | "speaksAgainst">,
  episode: Episode,
): readonly Evidence[] {
  return [
    evidence("for", speaksFor, episode.peak, null, episode.words["field"] ?? null),
    evidence("against", speaksAgainst, null, null, null),
  ];
}

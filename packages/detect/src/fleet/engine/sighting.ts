import { gpuOf } from "@trainwatch/core";
import type { Severity } from "@trainwatch/core";
import type { FleetColumn, FleetTick } from "../contract.ts";
import type { Episode, Sighting } from "./episode.ts";
import { isRead, rowsOf } from "./rows.ts";
import { indexOf, nameOf, placeOf } from "./topology.ts";

type ThingKind = "gpu" | "link" | "node" | "port" | "switch";

export interface Seen {
  readonly what: string;
  readonly severity: Severity;
  readonly onsetMs: number;
  readonly value: number | null;
  readonly baseline?: number | null;
  readonly numbers?: Readonly<Record<string, number>>;
  readonly words?: Readonly<Record<string, string>>;
  /** Where one thing has several conditions that are findings of their own. */
  readonly isOwnFinding?: boolean;
  /** Where the metric is not the column's. */
  readonly metric?: string;
}

/** A sighting of the thing in a row. A MIG instance accuses its GPU. */
export function seenAt(column: FleetColumn, tick: FleetTick, row: number, kind: ThingKind, seen: Seen): Sighting {
  const words = { field: column.field, ...seen.words };
  return seenOf(tick, kind, column.entities[row] ?? "", { metric: column.field, ...seen, words });
}

export function seenOf(tick: FleetTick, kind: ThingKind, entity: string, seen: Seen & { readonly metric: string }): Sighting {
  const id = kind === "gpu" ? gpuOf(entity) : entity;
  const index = indexOf(tick.topology);
  const place = placeOf(index, kind, id);
  const slot = kind === "gpu" ? (index.topology.gpus[index.gpuAt.get(id) ?? -1]?.index ?? null) : null;
  return {
    key: seen.isOwnFinding === true ? `${seen.what}|${id}` : id,
    what: seen.what,
    metric: seen.metric,
    subject: { kind, id },
    place,
    severity: seen.severity,
    onsetMs: seen.onsetMs,
    value: seen.value,
    baseline: seen.baseline ?? null,
    ...(seen.numbers === undefined ? {} : { numbers: seen.numbers }),
    words: { name: nameOf(place, kind, id, slot), ...seen.words },
  };
}

/** `GPU 3 on c11-n07`: the name that the sighting was given. */
export function called(episode: Episode): string {
  return episode.words["name"] ?? episode.subject.id;
}

export function numberOf(episode: Episode, name: string): number {
  return episode.numbers[name] ?? 0;
}

/** Whether any of the columns has a fresh reading of the episode's subject, by its own id. */
export function isReadIn(columns: readonly (FleetColumn | null)[], tick: FleetTick): (episode: Episode) => boolean {
  return ({ subject }) =>
    columns.some((column) => {
      if (column === null) return false;
      const row = rowsOf(column, tick).rowOf(subject.id);
      return row >= 0 && isRead(column, row);
    });
}

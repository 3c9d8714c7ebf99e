import type { EntityKind } from "../entity.ts";
import type { FieldKind, FleetField, FleetSignalName } from "../field.ts";

/** What the fields of one table have in common. */
export interface FieldFamily {
  readonly entity: EntityKind;
  readonly signal: FleetSignalName | null;
  readonly sentinels: readonly number[];
  readonly source: string;
}

export interface FieldFacts {
  readonly unit?: string;
  readonly kind?: FieldKind;
  readonly aliases?: readonly string[];
  readonly min?: number | null;
  readonly max?: number | null;
  readonly digits?: number;
  readonly domain?: readonly [number, number];
  readonly entity?: EntityKind;
  readonly signal?: FleetSignalName | null;
}

/** A field of a family. What is not said: a dimensionless gauge that is never negative, whole numbers, colours from the data. */
export function defineField(family: FieldFamily, name: string, title: string, facts: FieldFacts = {}): FleetField {
  return {
    name,
    title,
    kind: facts.kind ?? "gauge",
    unit: facts.unit ?? "",
    entity: facts.entity ?? family.entity,
    aliases: facts.aliases ?? [],
    min: facts.min === undefined ? 0 : facts.min,
    max: facts.max === undefined ? null : facts.max,
    sentinels: family.sentinels,
    signal: facts.signal === undefined ? family.signal : facts.signal,
    digits: facts.digits ?? 0,
    domain: facts.domain ?? null,
    source: family.source,
  };
}

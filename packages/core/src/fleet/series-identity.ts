import type { Entity, EntityAttribute } from "./entity.ts";

/** Labels as a source sends them; `__name__` is not among them. */
export type RawLabels = Readonly<Record<string, string>>;

/**
 * What a labelled reading is about. Two sources that speak of one GPU's temperature give one identity (E2): labels that may come, go or be
 * renamed are attributes with a time range and no part of it. A metric that the catalogue does not know keeps all its labels.
 */
export interface SeriesIdentity {
  /** The field's name in the catalogue, or the source's own. */
  readonly metric: string;
  readonly sourceName: string;
  /** Null where the catalogue does not know the metric and no label names a GPU. */
  readonly entity: Entity | null;
  /** What tells series of one metric and entity apart, with its entity's own labels left out; sorted by name. */
  readonly labels: RawLabels;
  /** Canonical text of metric, entity and labels: equal text, one series. */
  readonly key: string;
  /** The scraped target (`job` and `instance`, or a node): series of one target are stored together. */
  readonly target: string;
  /** The node it comes from; null where nothing names one. */
  readonly node: NodeName | null;
  /** Of the entity, true from the sample's time on. */
  readonly attributes: readonly EntityAttribute[];
}

/** A node as a source names it. */
export interface NodeName {
  /** Stable over renames and reboots; null where the source does not know it. */
  readonly machineId: string | null;
  readonly host: string | null;
  /** Where it stands; absent where no label says. */
  readonly rack?: string;
}

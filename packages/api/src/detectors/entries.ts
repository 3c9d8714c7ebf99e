import { DETECTOR_FAMILIES, type DetectorFamily } from "@trainwatch/core";
import { CLOCK_DETECTORS, DETECTORS, FLEET_DETECTORS, RANK_DETECTORS, type DetectorParameter } from "@trainwatch/detect";

/** What the registries of all families say of their entries. */
export interface CatalogueEntry {
  readonly family: DetectorFamily;
  readonly id: string;
  readonly version: number;
  readonly title: string;
  readonly finds: string;
  readonly source: string;
  readonly parameters: readonly DetectorParameter[];
  /** Canonical metrics or fields that it reads. */
  readonly reads: readonly string[];
}

interface Entry extends Omit<CatalogueEntry, "family" | "reads"> {
  readonly metrics?: readonly string[];
  readonly fields?: readonly string[];
}

const FAMILIES: Readonly<Record<DetectorFamily, readonly Entry[]>> = {
  training: DETECTORS,
  rank: RANK_DETECTORS,
  fleet: FLEET_DETECTORS,
  clock: CLOCK_DETECTORS,
};

/** Every detector of every family, in the order of the registries. */
export const DETECTOR_ENTRIES: readonly CatalogueEntry[] = DETECTOR_FAMILIES.flatMap((family) =>
  FAMILIES[family].map(({ id, version, title, finds, source, parameters, metrics, fields }) => ({
    family,
    id,
    version,
    title,
    finds,
    source,
    parameters,
    reads: metrics ?? fields ?? [],
  })),
);

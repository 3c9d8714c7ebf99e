import { fieldOf, fromJsonNumber, type FleetField, type GpuReading } from "@trainwatch/core";
import { formatSigned } from "@trainwatch/ui";
import { fleetQuantity, STATE_WORDS } from "@trainwatch/ui/charts/fleet";
import type { Quantity } from "@trainwatch/ui";

/** From so many robust deviations on a reading is lit: by chance one GPU in 15,000 goes beyond 4. */
const LIT_Z = 4;

export interface ReadingWords {
  readonly title: string;
  readonly quantity: Quantity;
  readonly deviation: string | undefined;
  readonly lit: boolean;
}

export function fieldTitle(metric: string): string {
  return fieldOf(metric)?.title ?? metric;
}

/** How a reading is written: a state in words, a count since the driver was loaded as it stands. */
export function readingWords({ metric, value, state, peerZ }: GpuReading): ReadingWords {
  const field = fieldOf(metric);
  const number = fromJsonNumber(value);
  const quantity =
    state === "ok" || state === "non-finite"
      ? fleetQuantity(number, { unit: field?.unit ?? "", digits: field?.digits ?? 3 })
      : { text: STATE_WORDS[state], unit: "" };
  return {
    title: field?.title ?? metric,
    quantity: state === "non-finite" ? { text: String(value), unit: "" } : quantity,
    deviation: peerZ === null ? undefined : formatSigned(peerZ, 1),
    lit: (peerZ !== null && Math.abs(peerZ) >= LIT_Z) || (field !== null && isFault(field, number)),
  };
}

/** Signals of which a state above zero is worth knowing. What has been counted since the driver was loaded, or happened last, may be long over (E1). */
const FAULTS: ReadonlySet<string> = new Set(["row-remap", "ecc", "xid", "nvlink-errors"]);

function isFault({ signal, kind }: FleetField, value: number | null): boolean {
  return signal !== null && FAULTS.has(signal) && (kind === "state" || kind === "windowed-count") && value !== null && value > 0;
}

/** Far from its peers first, then faults, then the rest by name. */
export function byWeight(readings: readonly GpuReading[]): readonly GpuReading[] {
  const weight = (reading: GpuReading): number => {
    const words = readingWords(reading);
    return (reading.peerZ === null ? 0 : Math.abs(reading.peerZ)) + (words.lit ? 100 : 0) + (reading.state === "ok" ? 0 : -1000);
  };
  return [...readings].sort((a, b) => weight(b) - weight(a) || (fieldTitle(a.metric) < fieldTitle(b.metric) ? -1 : 1));
}

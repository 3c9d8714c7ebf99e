import { type Severity, worstSeverity } from "../severity.ts";
import type { FleetEvent } from "./fleet-event.ts";

/** A burst is over after so much silence (detection.md C.2; NVIDIA Fleet Intelligence does the same). */
export const BURST_SILENCE_MS = 3 * 60_000;
/** A gauge that changes and a line in the kernel's log within so much of each other are one event (E1). */
export const SAME_EVENT_MS = 60_000;

/** The same thing again and again on one thing. */
export interface Burst {
  readonly firstMs: number;
  readonly lastMs: number;
  readonly count: number;
  readonly severity: Severity;
  /** Of the first of it. */
  readonly text: string;
  /** Only a gauge of the last event has told of it. */
  readonly fromGauge: boolean;
}

/** What must be equal for two events to be of one burst. */
export function burstKey({ kind, code, subCode, entity }: Pick<FleetEvent, "kind" | "code" | "subCode" | "entity">): string {
  return JSON.stringify([kind, code, subCode, entity?.kind ?? null, entity?.id ?? null]);
}

export function burstOf({ timeMs, lastTimeMs, count, severity, text }: FleetEvent, fromGauge: boolean): Burst {
  return { firstMs: timeMs, lastMs: Math.max(timeMs, lastTimeMs ?? timeMs), count, severity, text, fromGauge };
}

/** Bursts of one key made one where less than the silence lies between them. Ascending. */
export function foldBursts<T extends Burst>(bursts: readonly T[]): readonly (Burst & { readonly of: readonly T[] })[] {
  const folded: (Burst & { of: readonly T[] })[] = [];
  for (const burst of bursts.toSorted((a, b) => a.firstMs - b.firstMs)) {
    const open = folded.at(-1);
    if (open === undefined || burst.firstMs - open.lastMs > BURST_SILENCE_MS) folded.push({ ...burst, of: [burst] });
    else folded[folded.length - 1] = { ...joined(open, burst), of: [...open.of, burst] };
  }
  return folded;
}

function joined(a: Burst, b: Burst): Burst {
  const span = {
    firstMs: Math.min(a.firstMs, b.firstMs),
    lastMs: Math.max(a.lastMs, b.lastMs),
    severity: worstSeverity(a.severity, b.severity),
  };
  const [gauge, told] = a.fromGauge ? [a, b] : [b, a];
  if (!gauge.fromGauge || told.fromGauge) return { ...span, count: a.count + b.count, text: a.text, fromGauge: a.fromGauge && b.fromGauge };
  // The log counts every one of them; what the gauge saw of the same is among them.
  const isSame = gauge.firstMs - told.lastMs <= SAME_EVENT_MS && told.firstMs - gauge.lastMs <= SAME_EVENT_MS;
  return { ...span, count: isSame ? Math.max(gauge.count, told.count) : gauge.count + told.count, text: told.text, fromGauge: false };
}

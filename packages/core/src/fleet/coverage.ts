import type { CoverageState } from "../views/fleet.ts";
import type { FleetSignal } from "./signals.ts";

/** What the series of one signal on one node show. */
export interface SignalReadings {
  /** Series that bring the signal. */
  readonly series: number;
  /** Of them those that have a reading now, whatever it says. */
  readonly readings: number;
  /** Of these those whose reading is one by the catalogue (E5). */
  readonly valid: number;
  /** Series that have shown anything but 0 of late. */
  readonly nonZero: number;
}

/**
 * How well a signal is seen. Absence of data is never health: a node whose NVLink traffic is missing, or always 0 while it works, is not one
 * whose NVLink is fine (E7). `busy` null: nobody knows whether the node works, so that a constant 0 cannot be told from rest either.
 */
export function signalState(
  signal: FleetSignal,
  { series, readings, valid, nonZero }: SignalReadings,
  busy: boolean | null,
): CoverageState {
  if (series === 0) return "missing";
  if (readings === 0) return "stale";
  if (valid === 0) return "sentinel";
  return signal.movesUnderLoad && nonZero === 0 && busy !== false ? "constant-zero" : "seen";
}

/** Above these a GPU works: a share of time, a percentage, and watts that no idle GPU of a data centre draws. */
const BUSY_RATIO = 0.05;
const BUSY_PERCENT = 5;
const BUSY_WATTS = 200;

/** Whether a valid reading shows a GPU at work; null where its field does not tell. */
export function showsLoad(unit: string, signal: string | null, value: number): boolean | null {
  if (signal === "activity") return value > (unit === "%" ? BUSY_PERCENT : BUSY_RATIO);
  return signal === "power" && unit === "W" ? value > BUSY_WATTS : null;
}

/**
 * What may be said of a node's NVLink. "ok" needs errors that are counted, traffic that is seen, and no link that is known to be down: a dead
 * link counts no error. Anything less is unknown (E7).
 */
export function nvlinkVerdict(
  errors: CoverageState,
  traffic: CoverageState,
  errorsPerS: number | null,
  linksDown: number,
): "ok" | "errors" | "unknown" {
  if (errorsPerS !== null && errorsPerS > 0) return "errors";
  return errors === "seen" && traffic === "seen" && errorsPerS === 0 && linksDown === 0 ? "ok" : "unknown";
}

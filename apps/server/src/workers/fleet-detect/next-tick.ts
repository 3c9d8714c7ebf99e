import { FLEET_TICK_MS } from "@trainwatch/detect";

/** Scrapes of a tick arrive some seconds after it: agents send every few. */
export const SETTLE_MS = 2_000;
/** After a longer rest the ticks before are left out: what is old by then nobody acts on, and the fleet of now has waited. */
export const CATCH_UP_MS = 30 * 60_000;
/** Within so much of the last tick another process has gone on, and nobody was kept waiting. */
const PAUSE_MS = 30_000;
/** Agents whose server was down try again within a minute (their longest back-off), and bring what they have spooled. */
const RETURN_MS = 65_000;

/**
 * When the first tick after a start may be judged, epoch ms. While no server was there nobody could deliver: ticks of that time, judged before the agents are back, would
 * find the whole fleet silent.
 */
export function readyAt(lastMs: number | null, nowMs: number): number {
  return lastMs !== null && nowMs - lastMs > PAUSE_MS + SETTLE_MS ? nowMs + RETURN_MS : nowMs;
}

export interface NextTick {
  readonly tickMs: number;
  readonly isDue: boolean;
  /** What lies between the last tick and this one beyond one step. */
  readonly skippedMs: number;
  /** Whether the tick after it is due already. */
  readonly hasMore: boolean;
}

/** The tick that follows the last one; the newest one where none was judged before. Epoch ms, on the grid of `FLEET_TICK_MS`. */
export function nextTick(lastMs: number | null, nowMs: number): NextTick {
  const newestMs = Math.floor((nowMs - SETTLE_MS) / FLEET_TICK_MS) * FLEET_TICK_MS;
  const oldestMs = newestMs - CATCH_UP_MS;
  const followsMs = lastMs === null ? newestMs : lastMs + FLEET_TICK_MS;
  const tickMs = Math.max(followsMs, oldestMs);
  return { tickMs, isDue: tickMs <= newestMs, skippedMs: tickMs - followsMs, hasMore: tickMs < newestMs };
}

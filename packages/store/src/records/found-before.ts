import { Prisma } from "../generated/client.ts";

/**
 * Whether finding `f` was told before anything of incident `i`: an incident with a lower id may hold what came later, be it that it goes on, or that a younger one was merged into it.
 * What names no time goes by the ids alone.
 */
export const IS_FOUND_BEFORE = Prisma.sql`coalesce(f.detected_time_ms <= i.detected_time_ms, true)`;

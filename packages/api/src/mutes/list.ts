import type { StoredMute } from "@trainwatch/core";
import { readVerb } from "../procedures.ts";

/** All mute calendars, oldest first; there are never more than 500. */
export const listMutes = readVerb.query(({ ctx }): Promise<readonly StoredMute[]> => ctx.store.records.mutes.list());

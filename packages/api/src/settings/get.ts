import type { Settings } from "@trainwatch/core";
import { readVerb } from "../procedures.ts";

export const getSettings = readVerb.query(({ ctx }): Promise<Settings> => ctx.store.records.settings.get());

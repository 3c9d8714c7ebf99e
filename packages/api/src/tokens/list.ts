import type { TokenView } from "@trainwatch/core";
import { adminVerb } from "../procedures.ts";

/** Newest first, revoked ones too; never a secret. */
export const listTokens = adminVerb.query(({ ctx }): Promise<readonly TokenView[]> => ctx.store.records.tokens.list());

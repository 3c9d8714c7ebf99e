import { AppError, type TokenView } from "@trainwatch/core";
import { z } from "zod";
import { idInput } from "../page-input.ts";
import { adminVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";

const revokeTokenInput = z.object({ tokenId: idInput });

/** Ends a token and the browser sessions opened with it, at once. */
export const revokeToken = adminVerb.input(revokeTokenInput).mutation(({ ctx, input: { tokenId } }): Promise<TokenView> =>
  recorded(ctx, "tokens.revoke", async (records) => {
    const token = await records.tokens.revoke(tokenId, ctx.now());
    if (token === null) throw new AppError("conflict", `There is no live token ${tokenId}: it is unknown or has been revoked already.`);
    return { answer: token, target: `token:${tokenId}`, details: { name: token.name } };
  }),
);

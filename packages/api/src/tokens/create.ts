import { AppError, SCOPES, type TokenView, textSchema } from "@trainwatch/core";
import { z } from "zod";
import { newToken } from "../auth/secret.ts";
import { adminVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";

export const createTokenInput = z.object({
  /** Stands in the audit as who did it. */
  name: textSchema.trim().min(1).max(128),
  scopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length),
});

export interface CreatedToken {
  readonly token: TokenView;
  /** Shown this once; only its hash is kept. */
  readonly secret: string;
}

export const createToken = adminVerb.input(createTokenInput).mutation(({ ctx, input: { name, scopes } }): Promise<CreatedToken> =>
  recorded(ctx, "tokens.create", async (records) => {
    const { secret, hash, prefix } = newToken();
    const token = await records.tokens.create({ name, scopes: [...new Set(scopes)], hash, prefix, createdAtMs: ctx.now() });
    if (token === null) {
      throw new AppError(
        "conflict",
        `There is a live token named "${name}". Names tell people apart in the audit: choose another, or revoke that one first.`,
      );
    }
    return { answer: { token, secret }, target: `token:${token.id}`, details: { name, scopes: token.scopes } };
  }),
);

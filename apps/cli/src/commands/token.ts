import { SCOPES } from "@trainwatch/core";
import { administer, readConfig } from "@trainwatch/server";
import { z } from "zod";
import { addConfigOptions, configOptionsSchema } from "../frame/config-options.ts";
import { defineCommand, defineGroup } from "../frame/define-command.ts";
import { printJson } from "../frame/io.ts";
import { tokenTable } from "../token-table.ts";

const create = defineCommand({
  name: "create",
  summary: "Makes a token and shows it once.",
  examples: ["trainwatch token create trainer-7b --scope ingest", "trainwatch token create on-call --scope operate"],
  configure(command) {
    command.argument("<name>", "stands in the audit as who did it");
    command.option("--scope <list>", `what it may do, by commas: ${SCOPES.join(", ")} (operate reads too, admin is everything)`, "ingest");
    addConfigOptions(command, ["config", "dataDir", "databaseUrl"]);
  },
  options: configOptionsSchema.extend({
    scope: z
      .string()
      .transform((list) => list.split(",").map((scope) => scope.trim()))
      .pipe(z.array(z.enum(SCOPES, `must be among ${SCOPES.join(", ")}`))),
  }),
  async run(io, { json, scope, ...flags }, [name = ""]) {
    const { token, secret } = await administer(readConfig(flags), (verbs) => verbs.tokens.create({ name, scopes: scope }));
    if (json) printJson(io, { ...token, secret });
    else io.out(`${secret}\nToken "${token.name}" with ${token.scopes.join(", ")}. It is shown this once; only its hash is kept.\n`);
    return 0;
  },
});

const list = defineCommand({
  name: "list",
  summary: "Lists tokens, revoked ones too; never a secret.",
  examples: ["trainwatch token list"],
  configure: (command) => addConfigOptions(command, ["config", "dataDir", "databaseUrl"]),
  options: configOptionsSchema,
  async run(io, { json, ...flags }) {
    const tokens = await administer(readConfig(flags), (verbs) => verbs.tokens.list());
    if (json) printJson(io, tokens);
    else io.out(tokenTable(tokens));
    return 0;
  },
});

const revoke = defineCommand({
  name: "revoke",
  summary: "Ends a token, and the browser sessions opened with it, at once.",
  examples: ["trainwatch token revoke 3"],
  configure(command) {
    command.argument("<id>", "its number in `trainwatch token list`");
    addConfigOptions(command, ["config", "dataDir", "databaseUrl"]);
  },
  options: configOptionsSchema,
  async run(io, { json, ...flags }, [id = ""]) {
    const tokenId = z.coerce.number<string>(`${id} is no number of a token; \`trainwatch token list\` shows them`).parse(id);
    const token = await administer(readConfig(flags), (verbs) => verbs.tokens.revoke({ tokenId }));
    if (json) printJson(io, token);
    else io.out(`Token ${token.id} ("${token.name}") is revoked.\n`);
    return 0;
  },
});

export const token = defineGroup("token", "Creates, lists and revokes access tokens.", [create, list, revoke]);

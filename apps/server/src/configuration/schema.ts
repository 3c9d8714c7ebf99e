import { z } from "zod";

/** Roles of the one artefact. `serve` answers HTTP, `detect` judges what came in, `maintain` keeps run states and retention, `deliver` sends notices. */
export const ROLES = ["serve", "detect", "maintain", "deliver"] as const;
export type Role = (typeof ROLES)[number];

const DEFAULT_PORT = 4400;
/** Requests a minute of one token or address: far above a page, far below what hurts. */
const DEFAULT_RATE_LIMIT = 12_000;
const MIN_ADMIN_TOKEN = 16;

const wholeNumber = z.coerce.number<unknown>("is not a number").int("must be a whole number");

function urlOf(...protocols: readonly string[]) {
  const fault = `must be an address that starts with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`;
  return z.string(fault).refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), fault);
}

/** One schema for file, environment and flags. Messages continue a sentence that begins with the key's name. */
export const configSchema = z.object({
  host: z.string("must be a host name or an address").trim().min(1, "must not be empty").default("127.0.0.1"),
  port: wholeNumber.min(0, "must be 0 to 65535").max(65_535, "must be 0 to 65535").default(DEFAULT_PORT),
  /** The address under which people and agents reach the server: behind a proxy it is not host and port. */
  url: urlOf("http:", "https:")
    .transform((text) => text.replace(/\/+$/, ""))
    .nullable()
    .default(null),
  /** Null: the platform's place (see `defaultDataDir`). */
  dataDir: z.string("must be a path").min(1, "must not be empty").nullable().default(null),
  /** Null: the embedded PostgreSQL in the data directory. */
  databaseUrl: z
    .string("must be an address")
    // Not by URL: `postgresql://user@/database?host=/run/postgresql`, as libpq writes a socket, is none to it.
    .regex(/^postgres(?:ql)?:\/\//, "must be an address that starts with postgres:// or postgresql://")
    .nullable()
    .default(null),
  /** What commands such as `import` show the server. */
  token: z.string("must be text").min(1, "must not be empty").nullable().default(null),
  /** Accepted by the server as a token with the scope admin. */
  adminToken: z
    .string("must be text")
    .min(MIN_ADMIN_TOKEN, `must have at least ${MIN_ADMIN_TOKEN} characters; \`openssl rand -hex 24\` makes a good one`)
    .regex(/^[\x21-\x7e]+$/, "must be printable ASCII without spaces, so that it fits into a header")
    .nullable()
    .default(null),
  roles: z
    .array(z.enum(ROLES, `must be among ${ROLES.join(", ")}`), `must be a list of ${ROLES.join(", ")}`)
    .min(1, "must name at least one role")
    .default([...ROLES]),
  rateLimitPerMinute: wholeNumber.min(1, "must be at least 1").default(DEFAULT_RATE_LIMIT),
  logLevel: z.enum(["debug", "info", "warn", "error", "silent"], "must be debug, info, warn, error or silent").default("info"),
});

export type ConfigValues = z.output<typeof configSchema>;
export type ConfigKey = keyof ConfigValues;
export const CONFIG_KEYS = configSchema.keyof().options;

import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { configSchema, type ConfigValues } from "./configuration/schema.ts";
import { fromEnvironment, fromFile, fromFlags, misconfigured, type Environment, type FileValues } from "./configuration/sources.ts";

export interface Config extends Omit<ConfigValues, "dataDir"> {
  readonly dataDir: string;
  /** The file that was read; null where there is none. */
  readonly configFile: string | null;
  /** Host or port were told, by whatever way. */
  readonly isAddressGiven: boolean;
}

const DEFAULT_FILE = "trainwatch.yaml";

/**
 * Flags over environment over file, checked by one schema. This file alone reads `process.env`.
 * @param flags camel-case names of the schema's keys, and `config` for the path of the file; undefined is not given
 * @throws AppError `misconfigured`, naming every fault at once with the key that holds it
 */
export function readConfig(flags: Readonly<Record<string, unknown>> = {}, environment: Environment = process.env): Config {
  const named = typeof flags.config === "string" ? flags.config : environment.TRAINWATCH_CONFIG;
  const { path, file } = readConfigFile(named === "" ? undefined : named);
  const given = { ...file.given, ...fromEnvironment(environment), ...fromFlags(flags) };
  const parsed = configSchema.safeParse(Object.fromEntries(Object.entries(given).map(([key, { value }]) => [key, value])));
  const faults = [...file.faults];
  for (const issue of parsed.error?.issues ?? []) {
    const key = configSchema.keyof().safeParse(issue.path[0]);
    const origin = key.success ? (given[key.data]?.origin ?? key.data) : issue.path.join(".");
    faults.push(`${origin} ${issue.message}`);
  }
  if (faults.length > 0 || parsed.data === undefined) throw misconfigured(faults);
  const isAddressGiven = given.host !== undefined || given.port !== undefined;
  return { ...parsed.data, dataDir: parsed.data.dataDir ?? defaultDataDir(environment), configFile: path, isAddressGiven };
}

function readConfigFile(named: string | undefined): { readonly path: string | null; readonly file: FileValues } {
  const path = named ?? DEFAULT_FILE;
  if (named === undefined && !existsSync(path)) return { path: null, file: { given: {}, faults: [] } };
  try {
    return { path, file: fromFile(path, readFileSync(path, "utf8")) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { path, file: { given: {}, faults: [`${path} cannot be read (${why}); correct --config or TRAINWATCH_CONFIG`] } };
  }
}

/** Root keeps data where services do; a plain user under the user's own data directory. */
function defaultDataDir(environment: Environment): string {
  if (process.getuid?.() === 0) return "/var/lib/trainwatch";
  const base = environment.XDG_DATA_HOME;
  return join(base === undefined || base === "" ? join(homedir(), ".local", "share") : base, "trainwatch");
}

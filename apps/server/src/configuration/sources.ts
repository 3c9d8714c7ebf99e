import { parseDocument } from "yaml";
import { AppError } from "@trainwatch/core";
import { CONFIG_KEYS, type ConfigKey } from "./schema.ts";

/** One given value and the words by which its giver knows it: `--port`, `TRAINWATCH_PORT`, `trainwatch.yaml: port`. */
export interface Given {
  readonly value: unknown;
  readonly origin: string;
}

export type GivenValues = Partial<Record<ConfigKey, Given>>;

const ENVIRONMENT_NAMES: Partial<Record<ConfigKey, string>> = {
  dataDir: "TRAINWATCH_DATA_DIR",
  host: "TRAINWATCH_HOST",
  port: "TRAINWATCH_PORT",
  url: "TRAINWATCH_URL",
  token: "TRAINWATCH_TOKEN",
  adminToken: "TRAINWATCH_ADMIN_TOKEN",
  databaseUrl: "DATABASE_URL",
};

export type Environment = Readonly<Record<string, string | undefined>>;

export function fromFlags(flags: Readonly<Record<string, unknown>>): GivenValues {
  const given: GivenValues = {};
  for (const key of CONFIG_KEYS) {
    const value = flags[key];
    if (value !== undefined) given[key] = { value, origin: `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}` };
  }
  return given;
}

/** An empty variable counts as not set: that is how compose files and unit files pass on what is absent. */
export function fromEnvironment(environment: Environment): GivenValues {
  const given: GivenValues = {};
  for (const key of CONFIG_KEYS) {
    const name = ENVIRONMENT_NAMES[key];
    const value = name === undefined ? undefined : environment[name];
    if (name !== undefined && value !== undefined && value !== "") given[key] = { value, origin: name };
  }
  return given;
}

export interface FileValues {
  readonly given: GivenValues;
  readonly faults: readonly string[];
}

/** Reads the text of `trainwatch.yaml`. Every fault is named; what can be read still counts, so that later faults show too. */
export function fromFile(path: string, text: string): FileValues {
  const document = parseDocument(text);
  if (document.errors.length > 0) return { given: {}, faults: document.errors.map((error) => `${path}: ${firstLine(error.message)}`) };
  const content: unknown = document.toJS() ?? {};
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    return { given: {}, faults: [`${path}: must hold keys with values, such as \`port: 4400\``] };
  }
  const given: GivenValues = {};
  const faults: string[] = [];
  for (const [name, value] of Object.entries(content)) {
    const key = CONFIG_KEYS.find((known) => known === name);
    if (key === undefined) faults.push(`${path}: \`${name}\` is not a key of the configuration; known are ${CONFIG_KEYS.join(", ")}`);
    else if (value !== null) given[key] = { value, origin: `${path}: ${name}` };
  }
  return { given, faults };
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? text;
}

export function misconfigured(faults: readonly string[]): AppError {
  const count = faults.length === 1 ? "a fault" : `${faults.length} faults`;
  return new AppError("misconfigured", `The configuration has ${count}:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`, {
    details: { faults },
  });
}

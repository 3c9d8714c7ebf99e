import { readFileSync } from "node:fs";
import { AppError } from "@trainwatch/core";
import { parseDocument } from "yaml";
import { messageOf } from "../message-of.ts";
import type { NodeWords } from "../node-identity.ts";
import type { ConfiguredSource } from "../source.ts";
import { SOURCE_KINDS } from "../sources/registry.ts";
import { agentConfigSchema } from "./schema.ts";
import type { AgentConfigFile } from "./schema.ts";

export interface AgentConfig extends Omit<AgentConfigFile, "server" | "sources" | "node"> {
  readonly server: { readonly url: string; readonly token: string | null };
  readonly node: NodeWords & { readonly machineIdFile: string };
  readonly sources: readonly ConfiguredSource[];
}

export type AgentEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the agent's file. Secrets stand in the environment or in a file of their own, never in this one.
 * @throws AppError `misconfigured`, naming every fault at once with the key that holds it
 */
export function readAgentConfig(path: string, environment: AgentEnvironment): AgentConfig {
  const faults: string[] = [];
  const content = contentOf(path, faults);
  const parsed = agentConfigSchema.safeParse(withEnvironment(content, environment));
  for (const issue of parsed.error?.issues ?? []) faults.push(faultOf(path, issue.path, issue.message));
  const sources = sourcesOf(path, content, faults);
  const token = parsed.data === undefined ? null : tokenOf(parsed.data, environment, faults);
  if (faults.length > 0 || parsed.data === undefined) throw misconfigured(faults);
  const { server, node, ...rest } = parsed.data;
  return { ...rest, server: { url: server.url, token }, node: nodeOf(node), sources };
}

function nodeOf({ host, rack, machineIdFile }: AgentConfigFile["node"]): AgentConfig["node"] {
  const node = { host: host ?? null, machineIdFile };
  return rack === undefined ? node : { ...node, rack };
}

function contentOf(path: string, faults: string[]): Record<string, unknown> {
  try {
    const document = parseDocument(readFileSync(path, "utf8"));
    for (const error of document.errors) faults.push(`${path}: ${error.message.split("\n", 1)[0] ?? error.message}`);
    const content: unknown = document.errors.length > 0 ? {} : document.toJS();
    if (typeof content === "object" && content !== null && !Array.isArray(content)) return { ...content };
    faults.push(`${path}: must hold keys with values, such as \`dataDir: /var/lib/trainwatch-agent\``);
  } catch (error) {
    faults.push(`${path} cannot be read (${messageOf(error)}); correct --config`);
  }
  return {};
}

/** What a DaemonSet or a unit knows better than a file that all nodes share. An empty variable counts as not set. */
function withEnvironment(content: Readonly<Record<string, unknown>>, environment: AgentEnvironment): Record<string, unknown> {
  const url = environment["TRAINWATCH_URL"] ?? "";
  const host = environment["TRAINWATCH_NODE_NAME"] ?? "";
  return {
    ...content,
    ...(url === "" ? {} : { server: { ...objectAt(content, "server"), url } }),
    ...(host === "" ? {} : { node: { ...objectAt(content, "node"), host } }),
  };
}

function objectAt(content: Readonly<Record<string, unknown>>, key: string): object {
  const value = content[key];
  return typeof value === "object" && value !== null ? value : {};
}

function tokenOf({ server }: AgentConfigFile, environment: AgentEnvironment, faults: string[]): string | null {
  const given = environment["TRAINWATCH_TOKEN"] ?? "";
  if (given !== "") return given;
  if (server.tokenFile === undefined) return null;
  try {
    const token = readFileSync(server.tokenFile, "utf8").trim();
    if (token === "") faults.push(`server.tokenFile: ${server.tokenFile} is empty`);
    return token;
  } catch (error) {
    faults.push(`server.tokenFile: ${server.tokenFile} cannot be read (${messageOf(error)})`);
    return null;
  }
}

function sourcesOf(path: string, { sources }: Readonly<Record<string, unknown>>, faults: string[]): readonly ConfiguredSource[] {
  if (!Array.isArray(sources)) return [];
  const configured: ConfiguredSource[] = [];
  for (const [index, value] of sources.entries()) {
    const at = ["sources", index];
    const wanted: unknown = typeof value === "object" && value !== null && "kind" in value ? value.kind : undefined;
    const kind = SOURCE_KINDS.find((known) => known.kind === wanted);
    if (kind === undefined) {
      faults.push(faultOf(path, [...at, "kind"], `must be one of ${SOURCE_KINDS.map((known) => known.kind).join(", ")}`));
      continue;
    }
    const answer = kind.configure(value);
    if (!answer.ok) for (const issue of answer.issues) faults.push(faultOf(path, [...at, ...issue.path], issue.message));
    else if (configured.some(({ name }) => name === answer.source.name))
      faults.push(faultOf(path, [...at, "name"], `${JSON.stringify(answer.source.name)} is taken by another source; give each its own`));
    else configured.push(answer.source);
  }
  return configured;
}

function faultOf(path: string, keys: readonly PropertyKey[], message: string): string {
  return keys.length === 0 ? `${path}: ${message}` : `${path}: ${keys.map(String).join(".")}: ${message}`;
}

function misconfigured(faults: readonly string[]): AppError {
  const count = faults.length === 1 ? "a fault" : `${faults.length} faults`;
  return new AppError("misconfigured", `The agent's configuration has ${count}:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`, {
    details: { faults },
  });
}

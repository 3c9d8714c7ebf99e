import { AppError } from "@trainwatch/core";
import type { ClusterFault } from "./cluster-fault.ts";
import { CLUSTER_FAULT_KINDS } from "./fault-kinds.ts";
import type { ClusterFaultKind } from "./fault-kinds.ts";

const TIME = ["step", "seconds", "forSteps", "forSeconds"];
const SITE = ["rank", "node", "gpu", "link", "port"];

/**
 * The faults of a file: a JSON array, or one JSON object a line (empty lines and lines that begin with # are skipped).
 * `{"kind": "straggler", "step": 2000, "node": 3, "gpu": 5, "factor": 1.4, "forSteps": 500}`
 * What does not fit the cluster is told when the plan is completed.
 * @throws AppError `bad-request` naming the entry by its number, or the line, and what is allowed
 */
export function readClusterFaults(text: string): readonly ClusterFault[] {
  return parsed(text).map(({ value, at }) => faultOf(value, at));
}

interface Entry {
  readonly value: unknown;
  /** `entry 3` or `line 5`. */
  readonly at: string;
}

function parsed(text: string): readonly Entry[] {
  if (text.trimStart().startsWith("[")) {
    const list = jsonOf(text, "the file");
    if (!Array.isArray(list)) throw new AppError("bad-request", "The faults must be a JSON array.");
    return list.map((value: unknown, index) => ({ value, at: `entry ${index + 1}` }));
  }
  return text.split("\n").flatMap((line, index) => {
    const isBlank = line.trim() === "" || line.trimStart().startsWith("#");
    return isBlank ? [] : [{ value: jsonOf(line, `line ${index + 1}`), at: `line ${index + 1}` }];
  });
}

function jsonOf(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError("bad-request", `Faults: ${what} is not JSON: ${cause instanceof Error ? cause.message : "it cannot be read"}.`, {
      cause,
    });
  }
}

function faultOf(value: unknown, at: string): ClusterFault {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    refuse(at, 'it must be an object such as {"kind": "straggler", "step": 2000, "rank": 17}');
  const { kind, ...rest } = { kind: undefined, ...value };
  if (!isKind(kind))
    refuse(
      at,
      `there is no fault ${JSON.stringify(kind) ?? "without a kind"}; known are ${CLUSTER_FAULT_KINDS.map((entry) => entry.kind).join(", ")}`,
    );
  const entry = CLUSTER_FAULT_KINDS.find((one) => one.kind === kind);
  const allowed = [...TIME, ...SITE, ...(entry?.parameters ?? []).map(({ name }) => name)];
  for (const [name, field] of Object.entries(rest)) {
    if (!allowed.includes(name)) refuse(`${at} (${kind})`, `it has no ${name}; allowed are ${allowed.join(", ")}`);
    if (typeof field !== "number") refuse(`${at} (${kind})`, `${name} must be a number, not ${JSON.stringify(field)}`);
  }
  return { kind, ...numbersOf(rest) };
}

function isKind(kind: unknown): kind is ClusterFaultKind {
  return CLUSTER_FAULT_KINDS.some((entry) => entry.kind === kind);
}

function numbersOf(fields: object): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(fields).filter((field): field is [string, number] => typeof field[1] === "number"));
}

function refuse(at: string, why: string): never {
  throw new AppError("bad-request", `Faults: ${at}: ${why}.`);
}

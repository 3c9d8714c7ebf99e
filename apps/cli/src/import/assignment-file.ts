import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { createHash } from "node:crypto";
import { readAssignment, sayInteger } from "@trainwatch/core";
import { type InputFault, systemFault } from "../inputs/input-fault.ts";
import { parseRunName, type RunName } from "../inputs/run-name.ts";
import type { PushClient } from "./push-client.ts";

/** Assignments a push. */
const PUSH_LINES = 10_000;
/** Lines that say nothing are named up to so many. */
const MAX_NAMED = 5;

export interface SentAssignments {
  readonly lines: number;
  readonly sent: number;
  readonly runs: number;
}

type Facts = Readonly<Record<string, string | number | boolean | null>>;

/**
 * Sends an assignment file: JSON Lines of `{ run, attempt, rank, node, gpuUuid | gpuIndex, dp, tp, pp, ep, from, to }`. All of it or nothing: a line
 * that says nothing about where a rank ran is a fault that names the line. The same file again changes nothing.
 */
export async function sendAssignments(
  path: string,
  client: PushClient,
): Promise<{ readonly sent: SentAssignments } | { readonly fault: InputFault }> {
  const read = await readLines(path);
  if ("fault" in read) return read;
  const { lines, faults, runs } = read;
  if (faults.length > 0) {
    const more = faults.length > MAX_NAMED ? ` and ${sayInteger(faults.length - MAX_NAMED)} more` : "";
    return { fault: { code: "unknown", message: `${path}: ${faults.slice(0, MAX_NAMED).join("; ")}${more}. Nothing of it was sent.` } };
  }
  if (lines === 0) return { fault: { code: "empty", message: `${path}: it has no line.` } };
  let sent = 0;
  for (const { run, assignments } of runs.values()) {
    for (let at = 0; at < assignments.length; at += PUSH_LINES) {
      const part = assignments.slice(at, at + PUSH_LINES);
      // The source names the content, so that the same part again is the same push.
      const source = `assignments:${createHash("sha256")
        .update(JSON.stringify([run, part]))
        .digest("hex")
        .slice(0, 32)}`;
      await client.push({ source, seq: 0, run, assignments: part });
      sent += part.length;
    }
  }
  return { sent: { lines, sent, runs: runs.size } };
}

interface ReadAssignments {
  readonly lines: number;
  readonly faults: readonly string[];
  readonly runs: ReadonlyMap<string, { readonly run: RunName; readonly assignments: readonly Facts[] }>;
}

async function readLines(path: string): Promise<ReadAssignments | { readonly fault: InputFault }> {
  const faults: string[] = [];
  const runs = new Map<string, { run: RunName; assignments: Facts[] }>();
  let lines = 0;
  let number = 0;
  try {
    for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
      number++;
      if (line.trim() === "") continue;
      lines++;
      const read = readLine(line);
      if (typeof read === "string") {
        faults.push(`line ${number} ${read}`);
        continue;
      }
      const key = `${read.run.project}/${read.run.name}`;
      const known = runs.get(key);
      if (known === undefined) runs.set(key, { run: read.run, assignments: [read.facts] });
      else known.assignments.push(read.facts);
    }
  } catch (error) {
    return { fault: systemFault(path, error) };
  }
  return { lines, faults, runs };
}

function readLine(line: string): { readonly run: RunName; readonly facts: Facts } | string {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return "is no JSON";
  }
  if (typeof json !== "object" || json === null || Array.isArray(json)) return "is no JSON object";
  const { run: named, ...rest } = { run: undefined, ...json };
  const run = typeof named === "string" ? parseRunName(named) : null;
  if (run === null) return "names no run";
  if (readAssignment(rest) === null) return "names no rank, or neither gpuUuid nor node and gpuIndex";
  const facts = Object.entries(rest).filter((entry): entry is [string, string | number | boolean | null] => isFact(entry[1]));
  return { run, facts: Object.fromEntries(facts) };
}

function isFact(value: unknown): value is string | number | boolean | null {
  return value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { SOURCE_KINDS } from "../sources/registry.ts";
import { agentConfigSchema } from "./schema.ts";

const MANUAL = readFileSync(join(import.meta.dirname, "../../../../../docs/agent.md"), "utf8");

interface Key {
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Key>>;
  readonly required?: readonly string[];
  readonly enum?: readonly string[];
}

/** One row a key, as the manual shows it. */
function rows(keys: Readonly<Record<string, Key>>, required: readonly string[], prefix = ""): readonly string[] {
  return Object.entries(keys).flatMap(([name, key]) => {
    if (key.properties !== undefined) return rows(key.properties, key.required ?? [], `${prefix}${name}.`);
    const fallback = key.default === undefined ? (required.includes(name) ? "required" : "") : `\`${String(key.default)}\``;
    const choices = key.enum === undefined ? "" : ` (${key.enum.map((choice) => `\`${choice}\``).join(", ")})`;
    return [`| \`${prefix}${name}\` | ${fallback} | ${key.description ?? ""}${choices} |`];
  });
}

const whole = z.toJSONSchema(agentConfigSchema, { io: "input", unrepresentable: "any" }) as Key;

describe("docs/agent.md", () => {
  it("lists every key of the file with its default and what it is", () => {
    for (const row of rows(whole.properties ?? {}, whole.required ?? [])) expect(MANUAL).toContain(`${row}\n`);
  });

  it.each(SOURCE_KINDS.map((kind) => [kind.kind, kind] as const))("lists every key of the source %s", (name, kind) => {
    const { properties, required } = kind.keys() as Key;
    const { kind: _, every, ...own } = properties ?? {};
    const section = MANUAL.slice(MANUAL.indexOf(`### ${name}\n`));
    const end = section.indexOf("\n### ", 1);
    const text = end < 0 ? section : section.slice(0, end);
    expect(text).toContain(kind.title);
    const { name: __, ...rest } = own;
    for (const row of [...rows({ every: every ?? {} }, []), ...rows(rest, required ?? [])]) expect(text).toContain(`${row}\n`);
  });
});

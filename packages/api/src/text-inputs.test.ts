import { evalPushSchema, pushSchema } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { appRouter } from "./root.ts";

/** Every text within a schema, by its path. */
function* textsIn(schema: unknown, path: string): Generator<readonly [path: string, text: z.ZodString]> {
  if (schema instanceof z.ZodString) yield [path, schema];
  else if (schema instanceof z.ZodObject)
    for (const [name, field] of Object.entries(schema.shape)) yield* textsIn(field, `${path}.${name}`);
  else if (schema instanceof z.ZodArray) yield* textsIn(schema.element, `${path}[]`);
  else if (schema instanceof z.ZodRecord) yield* [...textsIn(schema.keyType, `${path}.<name>`), ...textsIn(schema.valueType, `${path}.*`)];
  else if (schema instanceof z.ZodUnion) for (const option of schema.options) yield* textsIn(option, path);
  else if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) yield* textsIn(schema.unwrap(), path);
  else if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) yield* textsIn(schema.unwrap(), path);
}

const verbs = Object.entries(appRouter._def.procedures).map(([name, verb]) => [name, inputsOf(verb)] as const);

function inputsOf(verb: unknown): readonly unknown[] {
  return typeof verb === "function" && "_def" in verb && isObject(verb._def) && Array.isArray(verb._def["inputs"])
    ? verb._def["inputs"]
    : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

const texts = verbs.flatMap(([name, inputs]) => inputs.flatMap((input) => [...textsIn(input, name)]));
// Pushes are checked by hand, and their texts by these schemas.
texts.push(...textsIn(pushSchema, "ingest.push"), ...textsIn(evalPushSchema, "ingest.evals"));

describe("texts that verbs take", () => {
  it("are found in the inputs of the verbs", () => {
    expect(texts.map(([path]) => path)).toEqual(
      expect.arrayContaining([
        "incidents.resolve.reason",
        "ingest.push.series[].labels.<name>",
        "ingest.push.events[].text",
        "runs.list.search",
        "series.window.metrics[]",
      ]),
    );
  });

  it.each(texts)("%s is refused where it holds what the database cannot", (_path, text) => {
    for (const bad of ["a\0b", "a\ud800b", "\udc00"]) expect(text.safeParse(bad).success).toBe(false);
  });
});

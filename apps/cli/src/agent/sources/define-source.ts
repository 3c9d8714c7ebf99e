import { z } from "zod";
import type { ConfiguredSource, SourceDefinition, SourceOptions } from "../source.ts";

/** A kind of source as the configuration sees it: what it may be told is its own. */
export interface SourceKind {
  readonly kind: string;
  readonly title: string;
  /** JSON Schema of its keys, for the manual. */
  keys(): object;
  /** @param value of an entry under `sources` */
  configure(
    value: unknown,
  ): { readonly ok: true; readonly source: ConfiguredSource } | { readonly ok: false; readonly issues: readonly z.core.$ZodIssue[] };
}

export function defineSource<Options extends SourceOptions>(definition: SourceDefinition<Options>): SourceKind {
  const { kind, title, options } = definition;
  return {
    kind,
    title,
    keys: () => z.toJSONSchema(options, { io: "input", unrepresentable: "any" }),
    configure(value) {
      const parsed = options.safeParse(value);
      if (!parsed.success) return { ok: false, issues: parsed.error.issues };
      const { name, every } = parsed.data;
      return { ok: true, source: { kind, name, everyMs: every, open: (world) => definition.create(parsed.data, world) } };
    },
  };
}

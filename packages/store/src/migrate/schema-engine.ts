import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { type ErrorRegistry, bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import * as bindings from "@prisma/schema-engine-wasm/schema_engine_bg";
import type { SchemaContainer, SchemaEngine } from "@prisma/schema-engine-wasm";
import pg from "pg";
import { characterAdapter } from "./character-adapter.ts";

/** Node has it; the type packages we compile with describe it for browsers only. */
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ readonly instance: { readonly exports: Readonly<Record<string, unknown>> } }>;
};

/**
 * Prisma's schema engine as WebAssembly from the npm registry: the native one is a download from elsewhere, which an air-gapped
 * cluster cannot make. Its package is written for bundlers, so we do by hand what those do for `import "./x.wasm"`.
 */
async function loadEngine(): Promise<typeof SchemaEngine> {
  const file = createRequire(import.meta.url)
    .resolve("@prisma/schema-engine-wasm/schema_engine_bg")
    .replace(/\.js$/, ".wasm");
  const { instance } = await WebAssembly.instantiate(await readFile(file), { "./schema_engine_bg.js": bindings });
  bindings.__wbg_set_wasm(instance.exports);
  // Called by the engine's panic hook, after which only "unreachable" would be heard of it.
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: panic } });
  const { __wbindgen_start: start } = instance.exports;
  if (typeof start === "function") start();
  return bindings.SchemaEngine;
}

function panic(message: string): never {
  throw new Error(`Prisma's schema engine: ${message}`);
}

/**
 * One instance a process: the package's bindings keep the instance in a variable of their own, so that a second one, from a second copy
 * of this module as test runners make them, would pull the memory from under the first.
 */
const INSTANCE = Symbol.for("trainwatch.schema-engine");
const shared: typeof globalThis & { [INSTANCE]?: Promise<typeof SchemaEngine> } = globalThis;

/**
 * Lends an engine that is bound to the database of `url`. It gets a pool of its own that is closed after, since the engine keeps its
 * advisory lock on a connection for as long as that lives.
 */
export async function withSchemaEngine<T>(url: string, schema: SchemaContainer, use: (engine: SchemaEngine) => Promise<T>): Promise<T> {
  const Engine = await (shared[INSTANCE] ??= loadEngine());
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  try {
    const factory = bindMigrationAwareSqlAdapterFactory(characterAdapter(pool));
    try {
      const engine = await Engine.new({ datamodels: [[schema.path, schema.content]] }, () => undefined, factory);
      try {
        return await use(engine);
      } finally {
        engine.free();
      }
    } catch (error) {
      throw behind(error, factory.errorRegistry);
    }
  } finally {
    await pool.end();
  }
}

/** The engine cannot carry an error of the driver: it says "External error id#0" and leaves it with the adapter. */
function behind(error: unknown, registry: ErrorRegistry): unknown {
  const id = error instanceof Error ? /External error id#(\d+)/.exec(error.message)?.[1] : undefined;
  return id === undefined ? error : (registry.consumeError(Number(id))?.error ?? error);
}

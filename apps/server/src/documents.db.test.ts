import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { appRouter, ERROR_EDGES } from "@trainwatch/api";
import { describe, expect, it } from "vitest";
import { CONFIG_KEYS } from "./configuration/schema.ts";
import { createHttpBench } from "./http/http-bench.fixture.ts";

const page = (name: string): string => readFileSync(fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url)), "utf8");

describe("docs/api.md", () => {
  const api = page("api.md");

  it("shows a push that can be copied, with the answer that it gets", async () => {
    const body = /-d '(\{[\s\S]*?\n {2}\})'/.exec(api)?.[1] ?? "";
    const answer = /```json\n(\{"result".*\})\n```/.exec(api)?.[1] ?? "";
    await using bench = await createHttpBench();
    const { secret } = await bench.token("ingest");
    const headers = { host: "localhost:4400", "content-type": "application/json", authorization: `Bearer ${secret}` };
    const response = await bench.app.inject({ method: "POST", url: "/trpc/ingest.push", headers, payload: body });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual(JSON.parse(answer));
  });

  it("shows a question that can be copied", async () => {
    const input = /--data-urlencode 'input=(\{.*\})'/.exec(api)?.[1] ?? "";
    await using bench = await createHttpBench();
    const { secret } = await bench.token("ingest", "read");
    const headers = { host: "localhost:4400", authorization: `Bearer ${secret}` };
    const push = {
      source: "s",
      seq: 0,
      run: { project: "p", name: "r" },
      series: [{ metric: "loss" }],
      columns: [{ series: 0, step: [1, 2], value: [2, 3] }],
    };
    await bench.app.inject({ method: "POST", url: "/trpc/ingest.push", headers, payload: push });
    const response = await bench.app.inject({ method: "GET", url: `/trpc/series.window?input=${encodeURIComponent(input)}`, headers });
    expect(response.json()).toMatchObject({ result: { data: { axis: "step", points: 2 } } });
  });

  it("lists every verb with the scope that it asks for, and none that is not there", () => {
    const told = [...api.matchAll(/^\| `([a-zA-Z]+\.[a-zA-Z]+)` \| (\w+) \|/gm)].map(([, verb, scope]) => `${verb} ${scope}`);
    const real = Object.entries(appRouter._def.procedures).map(
      ([path, procedure]) => `${path} ${(Reflect.get(procedure, "_def") as { meta: { scope: string } }).meta.scope}`,
    );
    expect(told.sort()).toEqual(real.sort());
  });

  it("lists every reason of an error with its status", () => {
    for (const [reason, { http }] of Object.entries(ERROR_EDGES))
      expect(api).toMatch(new RegExp(`^\\| .*\`${reason}\`.* \\| ${http} \\|`, "m"));
  });
});

describe("docs/operations.md", () => {
  const operations = page("operations.md");

  it("has a row for every key of the configuration, and no other", () => {
    expect([...operations.matchAll(/^\| `([a-zA-Z]+)` \| (?:`[A-Z_]+`)? ?\| /gm)].map(([, key]) => key).sort()).toEqual(
      [...CONFIG_KEYS].sort(),
    );
  });

  it("names every variable of the environment that is read", () => {
    const source = readFileSync(fileURLToPath(new URL("configuration/sources.ts", import.meta.url)), "utf8");
    for (const [, name] of source.matchAll(/"(TRAINWATCH_[A-Z_]+|DATABASE_URL)"/g)) expect(operations).toContain(`\`${name}\``);
  });
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PushInput } from "@trainwatch/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendAssignments } from "./assignment-file.ts";
import type { PushClient } from "./push-client.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "trainwatch-assignments-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function send(text: string) {
  const path = join(folder, "ranks.jsonl");
  await writeFile(path, text);
  const pushes: PushInput[] = [];
  const client: PushClient = {
    push(input) {
      pushes.push(input);
      return Promise.resolve({ accepted: 0, repeated: 0, missing: 0, refused: [], refusedTotal: 0, flagged: [], attempt: "a1", runId: 1 });
    },
    known: () => Promise.resolve([]),
  };
  return { outcome: await sendAssignments(path, client), pushes };
}

describe("an assignment file", () => {
  it("is sent by run, with the facts of each line and its time range", async () => {
    const lines = [
      { run: "lab/llm", attempt: "a1", rank: 0, node: "n1", gpuIndex: 0, pp: 0, from: "2026-11-01T00:00:00Z", to: null },
      { run: "lab/llm", attempt: "a1", rank: 1, gpuUuid: "GPU-abc" },
      { run: "other", rank: 0, gpuUuid: "GPU-def" },
    ];
    const { outcome, pushes } = await send(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    expect(outcome).toEqual({ sent: { lines: 3, sent: 3, runs: 2 } });
    expect(pushes.map(({ run, assignments }) => [run.project, run.name, assignments?.length])).toEqual([
      ["lab", "llm", 2],
      ["default", "other", 1],
    ]);
    expect(pushes[0]?.assignments?.[0]).toEqual({
      attempt: "a1",
      rank: 0,
      node: "n1",
      gpuIndex: 0,
      pp: 0,
      from: "2026-11-01T00:00:00Z",
      to: null,
    });
  });

  it("again is the same pushes", async () => {
    const line = `${JSON.stringify({ run: "r", rank: 0, gpuUuid: "GPU-abc" })}\n`;
    const [first, second] = [await send(line), await send(line)];
    expect(first.pushes).toEqual(second.pushes);
  });

  it("with a line that says nothing sends nothing, and names the line", async () => {
    const good = JSON.stringify({ run: "r", rank: 0, gpuUuid: "GPU-abc" });
    const { outcome, pushes } = await send(
      `${good}\nnot json\n${JSON.stringify({ run: "r", node: "n1" })}\n${JSON.stringify({ rank: 1 })}\n`,
    );
    expect(pushes).toEqual([]);
    expect(outcome).toMatchObject({
      fault: { message: expect.stringMatching(/line 2 is no JSON; line 3 names no rank.*; line 4 names no run/) },
    });
  });

  it("that is missing or empty says so", async () => {
    expect((await send("\n")).outcome).toMatchObject({ fault: { code: "empty" } });
    const client: PushClient = { push: () => Promise.reject(new Error("nothing is to be sent")), known: () => Promise.resolve([]) };
    expect(await sendAssignments(join(folder, "nowhere"), client)).toMatchObject({ fault: { code: "missing" } });
  });
});

import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { fastFolder } from "./fast-folder.ts";

it.each([
  ["there is none", { inMemory: "/no/such/folder", roomBytes: 0 }],
  ["it has too little room", { inMemory: tmpdir(), roomBytes: Number.MAX_SAFE_INTEGER }],
])("is the temporary folder where %s", async (_, how) => {
  expect(await fastFolder(how)).toBe(tmpdir());
});

it("is the one in memory where it has room", async () => {
  expect(await fastFolder({ inMemory: process.cwd(), roomBytes: 1 })).toBe(process.cwd());
});

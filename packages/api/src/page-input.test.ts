import { runMetadataSchema } from "@trainwatch/core";
import { expect, it } from "vitest";
import { idInput } from "./page-input.ts";

it.each([2_147_483_648, 2 ** 53 - 1, 0, -1, 0.5])("an id of %d names nothing and is refused before the database sees it", (id) => {
  expect(idInput.safeParse(id).success).toBe(false);
});

it("a number of GPUs that no column holds is refused by its name", () => {
  expect(runMetadataSchema.safeParse({ gpus: 3_000_000_000 }).error?.issues[0]?.path).toEqual(["gpus"]);
});

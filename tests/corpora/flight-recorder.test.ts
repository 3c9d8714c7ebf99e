import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FlightDump } from "@trainwatch/core";
import { rankSuspects } from "@trainwatch/detect";
import { looksLikeDump, rankOfDumpName, readDumpBytes } from "@trainwatch/formats";
import { describe, expect, it } from "vitest";
import { CORPUS_FOLDER } from "./corpus-folder.ts";

const FOLDER = join(CORPUS_FOLDER, "node_health/fr_traces");
const hasFolder = existsSync(FOLDER);

interface Trace {
  readonly dumps: readonly FlightDump[];
  /** Ranks that the reference tool names as missing. */
  readonly reference: readonly number[];
  /** Ranks into which the fault was injected. */
  readonly injected: readonly number[];
}

function readTrace(name: string): Trace {
  const folder = join(FOLDER, name);
  const dumps = readdirSync(folder).flatMap((file) => {
    const bytes = readFileSync(join(folder, file));
    if (!looksLikeDump(bytes.subarray(0, 1 << 16))) return [];
    const outcome = readDumpBytes(bytes, rankOfDumpName(file) ?? -1);
    if ("fault" in outcome) throw new Error(`${file}: ${outcome.fault}`);
    return [outcome.dump];
  });
  const reference = readFileSync(join(folder, "reference_output.txt"), "utf8").trim().split("\n").slice(1);
  const injected = /^Fault ranks: \[([\d, ]+)\]/.exec(readFileSync(join(folder, "fault_injection.log"), "utf8"))?.[1] ?? "";
  return { dumps, reference: reference.flatMap((row) => numbers(row.split("|").at(-1) ?? "")), injected: numbers(injected) };
}

const numbers = (text: string): readonly number[] => (text.match(/\d+/g) ?? []).map(Number);

describe("dumps of the NCCL flight recorder from injected faults", () => {
  const names = hasFolder ? readdirSync(FOLDER) : ["no corpus"];

  it.skipIf(!hasFolder).each(names)("needs the corpus: %s names exactly the ranks of the fault injection", (name) => {
    const { dumps, injected } = readTrace(name);
    expect(dumps).toHaveLength(16);
    const { suspects } = rankSuspects(dumps);
    expect(suspects.map(({ rank }) => rank).toSorted((a, b) => a - b)).toEqual(injected);
  });

  it.skipIf(!hasFolder).each(names)(
    "needs the corpus: %s holds those for behind that the reference tool misses in a collective",
    (name) => {
      const { dumps, reference } = readTrace(name);
      const behind = rankSuspects(dumps).suspects.filter(({ cause }) => cause === "behind");
      expect(behind.map(({ rank }) => rank).toSorted((a, b) => a - b)).toEqual(reference);
    },
  );

  it.skipIf(!hasFolder).each(names)(
    "E8: needs the corpus: with the dump of a faulty rank of %s gone, that rank is the top suspect and the other is still named",
    (name) => {
      const { dumps, injected } = readTrace(name);
      for (const gone of injected) {
        const { suspects, expected } = rankSuspects(dumps.filter(({ rank }) => rank !== gone));
        expect(expected).toBe(16);
        expect(suspects[0]).toMatchObject({ rank: gone, cause: "missing-dump" });
        expect(suspects.map(({ rank }) => rank).toSorted((a, b) => a - b)).toEqual(injected);
      }
    },
  );
});

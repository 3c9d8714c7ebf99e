import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { detectEvalFormat, detectFormat, HEAD_BYTES } from "@trainwatch/formats";
import { describe, expect, it } from "vitest";
import { CORPUS_FOLDER, hasCorpus } from "./corpus-folder.ts";
import {
  countAnnotations,
  countBfclScore,
  countBfclTable,
  countBoard,
  countDclm,
  countInspect,
  countJailbreaks,
  countPrompted,
  countRefusals,
  countRegistry,
  countResults,
  countSampleLines,
  countSeries,
  type EvalCount,
} from "./count-evals.ts";
import { readEval } from "./read-eval.ts";

/**
 * Every real file of evaluations is read, or refused with a reason; what the parsers give is counted again by another route, straight from the text.
 */
interface Kind {
  readonly files: RegExp;
  readonly format: string;
  readonly count: (text: string) => EvalCount;
  /** Codes of what the files truly lack. */
  readonly issues?: readonly string[];
}

const KINDS: readonly Kind[] = [
  { files: /^pythia-|^lmeval_llama1\/|^lmeval_gsm8k\/|^lmeval_qwen3-8b\/results|^bigscience_tr1_/, format: "lm-eval", count: countResults },
  { files: /^lmeval_qwen3-8b\/samples/, format: "lm-eval-samples", count: countSampleLines },
  { files: /^bigscience_.*_agg\.json$/, format: "bigscience-series", count: countSeries },
  { files: /_bslmeval\.json$/, format: "bigscience-prompted", count: countPrompted },
  { files: /^dclm_/, format: "dclm", count: countDclm },
  { files: /^inspect\//, format: "inspect-json", count: countInspect, issues: ["not-finished"] },
  { files: /^bfcl\//, format: "bfcl-score", count: countBfclScore, issues: ["passes-reconstructed"] },
  { files: /^bfcl_.*\.csv$/, format: "bfcl-csv", count: countBfclTable },
  { files: /^xstest\//, format: "refusal-csv", count: countRefusals, issues: ["annotators-disagree", "not-judged"] },
  { files: /^alpacaeval_annotations/, format: "alpaca-annotations", count: countAnnotations, issues: ["not-judged"] },
  { files: /^alpacaeval1_/, format: "alpaca-eval-1", count: countBoard(["win_rate", "avg_length"]) },
  { files: /^alpacaeval2_/, format: "alpaca-eval-2", count: countBoard(["length_controlled_winrate", "win_rate", "avg_length"]) },
  { files: /^arena_hard_/, format: "arena-hard", count: countBoard(["score", "avg_tokens"]) },
  { files: /^lmarena_/, format: "lmarena", count: countBoard(["arena_score"]) },
  { files: /^jbb\//, format: "jailbreakbench", count: countJailbreaks },
  { files: /^olmo2_.*\.csv$/, format: "checkpoint-csv", count: countRegistry },
];

/** Known files that hold no evaluation. */
const REFUSED: readonly (readonly [files: RegExp, reason: RegExp])[] = [[/^mlperf_rcps_/, /MLPerf.*reference convergence.*\.$/i]];

const FOLDER = join(CORPUS_FOLDER, "checkpoint_eval");
const filesUnder = (folder: string): readonly string[] =>
  hasCorpus
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
        .toSorted()
    : [];
const files = filesUnder(FOLDER);
const read = files.filter((file) => !REFUSED.some(([pattern]) => pattern.test(file)));

describe.skipIf(!hasCorpus)("evaluation files of the corpus (skipped where the corpus folder is absent)", () => {
  it("are each known to this test as read or refused, by one rule alone", () => {
    const rules = [...KINDS.map((kind) => kind.files), ...REFUSED.map(([pattern]) => pattern)];
    expect(files.length).toBe(83);
    expect(files.filter((file) => rules.filter((rule) => rule.test(file)).length !== 1)).toEqual([]);
  });

  it.each(read)("%s agrees with an independent count", (file) => {
    const kind = KINDS.find((one) => one.files.test(file));
    const { format, records, issues } = readEval(join("checkpoint_eval", file));
    expect(format).toBe(kind?.format);
    const found: Record<string, number> = {};
    for (const record of records) found[record.kind] = (found[record.kind] ?? 0) + 1;
    expect(found).toEqual(kind?.count(readFileSync(join(FOLDER, file), "utf8")));
    expect(issues.map(({ code }) => code).filter((code) => kind?.issues?.includes(code) !== true)).toEqual([]);
  });

  it.each(files.filter((file) => !read.includes(file)))("%s is refused with a reason", (file) => {
    const reason = REFUSED.find(([pattern]) => pattern.test(file))?.[1];
    const { refusal, records } = readEval(join("checkpoint_eval", file));
    expect(records).toEqual([]);
    expect(refusal).toMatch(reason ?? /^$/);
  });

  it("none of them passes for a training log, and no training log for an evaluation", () => {
    const head = (path: string): Buffer => readFileSync(path).subarray(0, HEAD_BYTES);
    const logs = join(CORPUS_FOLDER, "loss_curves");
    expect(files.filter((file) => detectFormat(head(join(FOLDER, file))).kind === "format")).toEqual([]);
    expect(filesUnder(logs).filter((file) => detectEvalFormat(head(join(logs, file))).kind === "format")).toEqual([]);
  });
});

/** Records of one evaluation file, by kind. */
export interface EvalCount {
  readonly measure?: number;
  readonly sample?: number;
  readonly pair?: number;
  readonly checkpoint?: number;
}

type Json = Readonly<Record<string, unknown>>;

const parse = (text: string): Json => JSON.parse(text.replaceAll(/:\s*(?:NaN|-?Infinity)/g, ": null"));
const objectAt = (value: unknown): Json => (typeof value === "object" && value !== null ? { ...value } : {});
const lines = (text: string): readonly string[] => text.split("\n").filter((line) => line.trim() !== "");
const isNumeric = (value: unknown): boolean => typeof value === "number" || value === "N/A";

/** Cells of a CSV by one regular expression, apart from the reader that is tested. */
export function csvRows(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,"\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? "");
    if (end !== ",") rows.push([]);
  }
  return rows.filter((row) => row.some((cell) => cell !== ""));
}

/** Numbers under `results` whose names do not say a standard error. */
export function countResults(text: string): EvalCount {
  const scores = Object.values(objectAt(parse(text)["results"])).flatMap((task) =>
    Object.entries(objectAt(task)).filter(([key, value]) => isNumeric(value) && !key.includes("_stderr") && key !== "sample_len"),
  );
  return { measure: scores.length };
}

export function countPrompted(text: string): EvalCount {
  const results = Object.values(objectAt(parse(text)["results"])).flatMap((times) => Object.values(objectAt(times)));
  return {
    measure: results.flatMap((one) => Object.entries(objectAt(one))).filter(([key, value]) => isNumeric(value) && !key.endsWith("_stderr"))
      .length,
  };
}

/** Elements of all lists under `results` whose names do not say a standard error. */
export function countSeries(text: string): EvalCount {
  const lists = Object.values(objectAt(parse(text)["results"])).flatMap((task) => Object.entries(objectAt(task)));
  return { measure: lists.filter(([key]) => !key.endsWith("_stderr")).flatMap(([, list]) => (Array.isArray(list) ? list : [])).length };
}

export const countSampleLines = (text: string): EvalCount => ({ sample: lines(text).length });

/** Every number of the document, wherever it stands. */
export function countDclm(text: string): EvalCount {
  return { measure: [...text.matchAll(/:\s*-?\d+(?:\.\d+)?(?:e[+-]?\d+)?\s*[,}]/gi)].length };
}

/** Samples by their scores; metrics of each scorer but its standard error. */
export function countInspect(text: string): EvalCount {
  const document = parse(text);
  const samples = Object.values(objectAt(document["samples"])).flatMap((sample) => Object.keys(objectAt(objectAt(sample)["scores"])));
  const scores = Object.values(objectAt(objectAt(document["results"])["scores"]));
  const metrics = scores.flatMap((score) => Object.keys(objectAt(objectAt(score)["metrics"]))).filter((name) => name !== "stderr");
  return { sample: samples.length, measure: metrics.length };
}

/** Failed samples stand in the file, passed ones are the rest of `total_count`. */
export function countBfclScore(text: string): EvalCount {
  const [first = "{}", ...failed] = lines(text);
  const { correct_count: correct, total_count: total } = parse(first);
  return { sample: Number(correct) + failed.length === Number(total) ? Number(total) : Number.NaN, measure: 1 };
}

/** Rows times the columns that hold a number in each of them, but the rank. */
export function countBfclTable(text: string): EvalCount {
  const [header = [], ...rows] = csvRows(text);
  const numeric = header.filter((name, index) => name !== "Rank" && rows.some((row) => /^-?\d+(?:\.\d+)?%?$/.test(row[index] ?? "")));
  return { measure: rows.length * numeric.length };
}

export const countBoard =
  (metrics: readonly string[]) =>
  (text: string): EvalCount => {
    const [header = [], ...rows] = csvRows(text);
    const columns = metrics.map((name) => header.indexOf(name));
    return { measure: rows.flatMap((row) => columns.filter((index) => Number.isFinite(Number.parseFloat(row[index] ?? "")))).length };
  };

/** Two judges a row (the final label and the model's own), and for each judge two rates of safe and two of unsafe prompts. */
export function countRefusals(text: string): EvalCount {
  const [header = [], ...rows] = csvRows(text);
  const judges = ["final_label", "gpt4_label"].map((name) => header.indexOf(name)).filter((index) => index >= 0);
  return { sample: rows.flatMap((row) => judges.filter((index) => (row[index] ?? "") !== "")).length, measure: judges.length * 4 };
}

export function countAnnotations(text: string): EvalCount {
  return { pair: [...text.matchAll(/^\s*"instruction":/gm)].length };
}

/** Behaviours; beside them the rate, and queries and tokens spent. */
export function countJailbreaks(text: string): EvalCount {
  return { sample: [...text.matchAll(/"jailbroken":/g)].length, measure: 3 };
}

export const countRegistry = (text: string): EvalCount => ({ checkpoint: lines(text).length - 1 });

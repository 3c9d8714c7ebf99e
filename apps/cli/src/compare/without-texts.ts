import { type EvalRecord, promptNumber } from "@trainwatch/core";
import { PROMPT_CHARACTERS } from "@trainwatch/decide";

/**
 * The record without what a comparison shows nothing of: answers and targets go, of a long prompt its beginning stays, with a number that tells it from every
 * other prompt. 200,000 samples of 10 kB are else 2 GB in memory.
 */
export function withoutTexts(record: EvalRecord): EvalRecord {
  if (record.kind === "sample") return { ...record, prompt: shortened(record.prompt), target: null, answer: null };
  return record.kind === "pair" ? { ...record, prompt: null, leftAnswer: null, rightAnswer: null } : record;
}

function shortened(prompt: string | null): string | null {
  if (prompt === null || prompt.length <= PROMPT_CHARACTERS) return prompt;
  // Through bytes: a part of a string keeps the whole of it in memory.
  const start = Buffer.from(prompt.slice(0, PROMPT_CHARACTERS), "utf16le").toString("utf16le");
  return `${start} ${promptNumber(prompt)}`;
}

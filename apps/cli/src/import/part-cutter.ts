import { MOST_EVAL_RECORDS, type EvalRecord } from "@trainwatch/core";

/** Far under the server's limit of a body, and little to send again. */
const MOST_PART_BYTES = 8 * 1024 * 1024;

/**
 * Cuts the records of a file into parts. Where it cuts depends on the records alone: the same file gives the same parts, so that an import that is run again repeats what
 * the server has and adds what it lacks.
 */
export class PartCutter {
  private held: EvalRecord[] = [];
  private bytes = 0;
  private readonly full: (readonly EvalRecord[])[] = [];

  take(record: EvalRecord): void {
    const size = sizeOf(record);
    if (this.held.length > 0 && (this.held.length >= MOST_EVAL_RECORDS || this.bytes + size > MOST_PART_BYTES)) this.cut();
    this.held.push(record);
    this.bytes += size;
  }

  /** Parts that are full, each given once. The one that is being filled stays. */
  ready(): readonly (readonly EvalRecord[])[] {
    return this.full.splice(0);
  }

  /** What is left, as the last part; empty where there was nothing. */
  rest(): readonly EvalRecord[] {
    return this.held;
  }

  private cut(): void {
    this.full.push(this.held);
    this.held = [];
    this.bytes = 0;
  }
}

/** An upper estimate: JSON escapes at most six bytes for a character of text, and texts are what is large. */
function sizeOf(record: EvalRecord): number {
  const texts =
    record.kind === "sample"
      ? [record.prompt, record.target, record.answer]
      : record.kind === "pair"
        ? [record.prompt, record.leftAnswer, record.rightAnswer]
        : [];
  return 1_024 + texts.reduce((sum, text) => sum + 3 * (text?.length ?? 0), 0);
}

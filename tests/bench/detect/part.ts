export type Cell = string | number | boolean | null;

/** A table of figures, with what it shows in a sentence or two. */
export interface Section {
  readonly title: string;
  readonly text: string;
  /** Too long for a document: the command prints it. */
  readonly isPrintedOnly?: boolean;
  readonly rows: readonly Readonly<Record<string, Cell>>[];
}

/** A goal, with what was measured for it. */
export interface Goal {
  readonly goal: string;
  readonly measured: string;
  readonly met: boolean;
}

/** What one part of the bench gives. */
export interface Part {
  readonly sections: readonly Section[];
  readonly goals: readonly Goal[];
}

export interface BenchOptions {
  /** All seeds and days: the long form. */
  readonly full: boolean;
}

export function goal(text: string, measured: string, met: boolean): Goal {
  return { goal: text, measured, met };
}

/** One number; as `Measurement` of the formats package has it. */
export interface MeasuredRow {
  readonly of: string;
  readonly at: number;
  readonly value: number;
}

/** Numbers of one kind; as `MeasuredTable` of the formats package has it. */
export interface MeasuredSeries {
  readonly title: string;
  readonly unit: string;
  readonly better: "higher" | "lower";
  readonly kind: "peers" | "places" | "sizes" | "times";
  readonly rows: readonly MeasuredRow[];
}

/** What the numbers say, in one clause with its figures. */
export interface MeasuredFact {
  readonly text: string;
  /** Worth a look: something is slower than its like, or than it was. */
  readonly isOdd: boolean;
}

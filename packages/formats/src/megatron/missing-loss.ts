type Field = readonly [name: string, value: number];

/** What a line says, or hides, about its losses. */
export interface LossReading {
  /** The fields as they are to be recorded, with NaN for losses that the line hides. */
  readonly fields: readonly Field[];
  /** Losses left out of the line because they were NaN. */
  readonly absentAsNaN: readonly string[];
  /** Losses left out of the line because they were NaN or negative: which, it does not tell. */
  readonly absentUnknown: readonly string[];
  /** Iterations of the interval that were skipped, and that had a NaN or infinite loss. */
  readonly skipped: number;
  readonly nan: number;
  /** A printed loss of 0 that is the mean of no iteration, and was left out. */
  readonly emptyMean: boolean;
}

const MAIN_LOSS = "lm loss";

/**
 * Megatron-LM prints a mean loss only `if avg >= 0.0` (megatron/training/training.py, training_log): a NaN or negative
 * loss is missing from the line. It was NaN, and not "no data", when the line counts NaN iterations or its gradient norm
 * is not finite. So it was when it is the language-model loss, which is never negative, earlier lines had it and no
 * iteration was skipped (a launch that begins with skipped iterations has none yet). A loss of exactly 0 in an interval
 * with skipped iterations is the mean over none (`0.0 / max(1, advanced)`): it is missing.
 * @param known losses that earlier lines of this launch had.
 */
export function readLosses(fields: readonly Field[], known: ReadonlySet<string>): LossReading {
  const nan = valueOf(fields, "number of nan iterations");
  const skipped = valueOf(fields, "number of skipped iterations") ?? 0;
  const nothingHidden = { fields, absentAsNaN: [], absentUnknown: [], skipped, nan: nan ?? 0, emptyMean: false };
  // Without its last standard field the line was cut: nothing can be said about what it lacks.
  if (nan === undefined) return nothingHidden;

  const isEmptyMean = ([name, value]: Field): boolean => value === 0 && isLoss(name);
  if (skipped > 0 && fields.some(isEmptyMean)) {
    return { ...nothingHidden, fields: fields.filter((field) => !isEmptyMean(field)), emptyMean: true };
  }

  const tellsNaN = nan > 0 || !Number.isFinite(valueOf(fields, "grad norm") ?? 0);
  const expected = known.size === 0 && tellsNaN ? [MAIN_LOSS] : [...known];
  const absent = expected.filter((name) => valueOf(fields, name) === undefined);
  if (absent.length === 0) return nothingHidden;
  const absentAsNaN = absent.filter((name) => tellsNaN || (name === MAIN_LOSS && skipped === 0));
  return {
    ...nothingHidden,
    fields: [...fields, ...absentAsNaN.map((name): Field => [name, Number.NaN])],
    absentAsNaN,
    absentUnknown: absent.filter((name) => !absentAsNaN.includes(name)),
  };
}

/** `lm loss`, `mtp_1 loss`, `load_balancing_loss`; not `loss scale`. */
export function isLoss(name: string): boolean {
  return name.endsWith("loss");
}

function valueOf(fields: readonly Field[], name: string): number | undefined {
  for (const field of fields) if (field[0] === name) return field[1];
  return undefined;
}

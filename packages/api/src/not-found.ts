import { AppError } from "@trainwatch/core";

/** The value, or the one sentence for a thing that is not there. */
export function required<T>(value: T | null | undefined, what: string, id: number | string): T {
  if (value === null || value === undefined)
    throw new AppError("not-found", `There is no ${what} ${id}. It may have been deleted.`, { details: { [what]: id } });
  return value;
}

import { AppError } from "@trainwatch/core";
import type { StoredIncident } from "@trainwatch/store";

/**
 * An incident that is one of its own. On one that was merged into another nothing is done any more: whoever still looks at it is told where it went.
 * @throws AppError `conflict`
 */
export function unmerged<Stored extends Pick<StoredIncident, "id" | "mergedInto">>(stored: Stored): Stored {
  const { id, mergedInto } = stored;
  if (mergedInto === null) return stored;
  throw new AppError("conflict", `Incident ${id} turned out to be incident ${mergedInto} and was merged into it. Act on that one.`, {
    details: { mergedInto },
  });
}

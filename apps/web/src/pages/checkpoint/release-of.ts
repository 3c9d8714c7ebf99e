import type { Passport } from "@trainwatch/core";

/** The release comparison that last decided on the checkpoint; null where none has. */
export function releaseOf({ decisions }: Pick<Passport, "decisions">): number | null {
  const newestFirst = [...decisions].sort((a, b) => b.atMs - a.atMs);
  return newestFirst.find(({ releaseId }) => releaseId !== null)?.releaseId ?? null;
}

import type { ReleaseSearch } from "./search.ts";

/** Back to the rail; the row stays selected. */
export function closeDetail({ detail: _detail, samples: _samples, sample: _sample, epoch: _epoch, ...rest }: ReleaseSearch): ReleaseSearch {
  return rest;
}

/** For each metric the series that speaks for it: the first that brought a value in this attempt. */
export type Leads = Readonly<Record<string, number>>;

/**
 * Detectors judge one line a metric. Where 16 ranks log the same loss, the first one to arrive is that line for the whole attempt:
 * a choice that arrival order alone decides, so that a replay makes the same one.
 */
export function chooseLeads(leads: Leads, samples: readonly { readonly metric: string; readonly seriesId: number }[]): Leads {
  let chosen = leads;
  for (const { metric, seriesId } of samples) {
    if (!Object.hasOwn(chosen, metric)) chosen = { ...chosen, [metric]: seriesId };
  }
  return chosen;
}

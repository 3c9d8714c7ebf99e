export interface Span {
  readonly first: number;
  /** One past the last. */
  readonly end: number;
}

/** Which of `count` things of one size, `fromPx` to `toPx` of which are seen, are near the view; moved in steps of `step`, so that few scrolls change it. */
export function nearSpan(count: number, sizePx: number, fromPx: number, toPx: number, spare: number, step = 1): Span {
  const first = Math.floor(fromPx / sizePx / step) * step - spare;
  const end = Math.ceil(toPx / sizePx / step) * step + spare;
  return { first: Math.max(0, Math.min(count, first)), end: Math.max(0, Math.min(count, end)) };
}

import { Button, formatInteger, Inset } from "@trainwatch/ui";
import { useState } from "react";

export interface Fold<T> {
  readonly shown: readonly T[];
  readonly rest: number;
  readonly more: () => void;
}

/** So many more at a press: a list of thousands is never drawn at once. */
export const FOLD_STEP = 50;

/** The first few of a long list, and more of them as they are asked for. */
export function useFold<T>(items: readonly T[], first: number): Fold<T> {
  const [count, setCount] = useState(first);
  return { shown: items.slice(0, count), rest: Math.max(0, items.length - count), more: () => setCount(count + FOLD_STEP) };
}

/** Asks for more of a folded list; nothing where all of it is shown. */
export function MoreButton({
  fold,
  noun,
  plural = `${noun}s`,
}: {
  readonly fold: Fold<unknown>;
  readonly noun: string;
  readonly plural?: string;
}) {
  const { rest, more } = fold;
  if (rest === 0) return null;
  const next = Math.min(rest, FOLD_STEP);
  const words =
    next === rest
      ? `Show ${formatInteger(rest)} more ${rest === 1 ? noun : plural}`
      : `Show ${next} of ${formatInteger(rest)} more ${plural}`;
  return (
    <Inset>
      <Button size="small" kind="quiet" onClick={more}>
        {words}
      </Button>
    </Inset>
  );
}

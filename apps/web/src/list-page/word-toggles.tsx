import { Checkbox } from "@trainwatch/ui";

export interface WordTogglesProps<Word extends string> {
  readonly words: readonly Word[];
  readonly labels: Readonly<Record<Word, string>>;
  /** Left out: all of them. */
  readonly chosen: readonly Word[] | undefined;
  /** Undefined where all are wanted, or none: a list of nothing is not asked for. */
  readonly onChoose: (chosen: readonly Word[] | undefined) => void;
}

/** A box for each word that a list is filtered by, all ticked at first. */
export function WordToggles<Word extends string>({ words, labels, chosen, onChoose }: WordTogglesProps<Word>) {
  const toggle = (changed: Word): void => {
    const next = words.filter((word) => (word === changed) !== (chosen === undefined || chosen.includes(word)));
    onChoose(next.length === words.length || next.length === 0 ? undefined : next);
  };
  return words.map((word) => (
    <Checkbox key={word} label={labels[word]} checked={chosen === undefined || chosen.includes(word)} onChange={() => toggle(word)} />
  ));
}

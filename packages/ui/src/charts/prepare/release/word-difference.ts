/** A piece of a text, and whether the other text has it too, in the same order. */
export interface TextPiece {
  readonly text: string;
  readonly isShared: boolean;
}
export interface TextDifference {
  readonly left: readonly TextPiece[];
  readonly right: readonly TextPiece[];
}

/** Words and spaces compared at most, a side: a table of this size squared is made. */
const MOST_WORDS = 3_000;

/**
 * What two texts share, word by word: longest common subsequence of the words between their common beginning and end. Texts that differ over
 * more than 1,500 words or so are marked as differing from the first to the last word that differs.
 */
export function wordDifference(left: string, right: string): TextDifference {
  const a = words(left);
  const b = words(right);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  const middleA = a.slice(head, a.length - tail);
  const middleB = b.slice(head, b.length - tail);
  const [sharedA, sharedB] =
    middleA.length > MOST_WORDS || middleB.length > MOST_WORDS ? [new Set<number>(), new Set<number>()] : common(middleA, middleB);
  return { left: pieces(a, head, tail, sharedA), right: pieces(b, head, tail, sharedB) };
}

/** Words and the white space between them, so that joining gives the text back. */
function words(text: string): readonly string[] {
  return text.match(/\s+|\S+/gu) ?? [];
}

function common(a: readonly string[], b: readonly string[]): readonly [Set<number>, Set<number>] {
  const width = b.length + 1;
  const longest = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i * width + j] =
        a[i] === b[j]
          ? (longest[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(longest[(i + 1) * width + j] ?? 0, longest[i * width + j + 1] ?? 0);
    }
  }
  const sharedA = new Set<number>();
  const sharedB = new Set<number>();
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      sharedA.add(i++);
      sharedB.add(j++);
    } else if ((longest[(i + 1) * width + j] ?? 0) >= (longest[i * width + j + 1] ?? 0)) i += 1;
    else j += 1;
  }
  return [sharedA, sharedB];
}

function pieces(all: readonly string[], head: number, tail: number, shared: ReadonlySet<number>): readonly TextPiece[] {
  const found: { text: string; isShared: boolean }[] = [];
  all.forEach((text, index) => {
    const isShared = index < head || index >= all.length - tail || shared.has(index - head);
    const last = found.at(-1);
    if (last !== undefined && last.isShared === isShared) last.text += text;
    else found.push({ text, isShared });
  });
  return found;
}

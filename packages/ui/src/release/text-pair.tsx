import { useMemo, type ReactNode } from "react";
import { wordDifference, type TextPiece } from "../charts/prepare/release/word-difference.ts";

export interface TextSide {
  readonly title: string;
  readonly text: string | null;
  /** Score, tokens, time. */
  readonly facts: ReactNode;
}

/** Two answers side by side: what only one of them says is marked, by an underline and a wash. One below the other under 720 px. */
export function TextPair({ left, right }: { readonly left: TextSide; readonly right: TextSide }) {
  const difference = useMemo(() => wordDifference(left.text ?? "", right.text ?? ""), [left.text, right.text]);
  return (
    <div className="grid gap-x-4 gap-y-3 desk:grid-cols-2">
      <Side side={left} pieces={difference.left} only="Only in this answer" />
      <Side side={right} pieces={difference.right} only="Only in this answer" />
    </div>
  );
}

function Side({ side, pieces, only }: { readonly side: TextSide; readonly pieces: readonly TextPiece[]; readonly only: string }) {
  return (
    <section aria-label={side.title} className="flex min-w-0 flex-col gap-1">
      <h3 className="flex flex-wrap items-baseline justify-between gap-x-3 text-label text-t3">
        <b className="font-semibold text-t1">{side.title}</b>
        <span>{side.facts}</span>
      </h3>
      {side.text === null ? (
        <p className="text-t3">The answer's text was not kept.</p>
      ) : (
        <LongText label={side.title}>
          {pieces.map((piece, index) =>
            piece.isShared ? (
              <span key={index}>{piece.text}</span>
            ) : (
              <mark key={index} title={only} className="bg-accent-wash text-t1 underline decoration-accent decoration-1 underline-offset-3">
                {piece.text}
              </mark>
            ),
          )}
        </LongText>
      )}
    </section>
  );
}

/** Text as it was, line breaks and all; a long one scrolls inside its frame. */
export function LongText({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div
      role="region"
      aria-label={label}
      // A region that scrolls must be reachable by keys.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="max-h-[32vh] overflow-auto rounded-chip border border-line bg-bg px-2.5 py-2 text-note whitespace-pre-wrap [overflow-wrap:anywhere]"
    >
      {children}
    </div>
  );
}

import type { ReactNode } from "react";
import { MARK_WORDS, SeverityShape, type Mark } from "./severity-shape.tsx";
import { TONE_CLASS, type Tone } from "./tone.ts";

const INK = {
  critical: "critical",
  warning: "warning",
  info: "info",
  ok: "ok",
  unknown: "text",
  refused: "label",
  failed: "critical",
  pending: "text",
} satisfies Record<Mark, Tone>;

export interface SeverityWordProps {
  readonly mark: Mark;
  /** The word; the mark's own where left out. */
  readonly children?: ReactNode;
  /** Colours the word too: only where the state itself is the news. */
  readonly lit?: boolean | undefined;
}

/** Shape and word together: state is never told by colour alone. */
export function SeverityWord({ mark, children, lit = false }: SeverityWordProps) {
  const tone = lit ? TONE_CLASS[INK[mark]] : "";
  return (
    <span className={`inline-flex items-center gap-1.5 whitespace-nowrap ${tone}`}>
      <SeverityShape mark={mark} />
      <span>{children ?? MARK_WORDS[mark]}</span>
    </span>
  );
}

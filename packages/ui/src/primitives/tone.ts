/** Inks that words may take. `better` and `worse` are the difference scale: blue and orange, never red and green. */
export type Tone = "value" | "text" | "label" | "disabled" | "accent" | "critical" | "warning" | "info" | "ok" | "better" | "worse";

export const TONE_CLASS = {
  value: "text-t1",
  text: "text-t2",
  label: "text-t3",
  disabled: "text-t4",
  accent: "text-accent",
  critical: "text-crit-ink",
  warning: "text-warn-ink",
  info: "text-info-ink",
  ok: "text-ok-ink",
  better: "text-better",
  worse: "text-worse",
} satisfies Record<Tone, string>;

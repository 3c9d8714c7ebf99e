import type { ReactNode } from "react";
import { TONE_CLASS, type Tone } from "./tone.ts";

const SIZE = {
  micro: "text-micro",
  label: "text-label",
  note: "text-note",
  body: "text-body",
  lane: "text-lane",
  title: "text-title",
  readout: "text-readout",
  document: "text-document",
} as const;

export interface TextProps {
  readonly children: ReactNode;
  readonly tone?: Tone | undefined;
  readonly size?: keyof typeof SIZE | undefined;
  readonly weight?: "regular" | "medium" | "bold" | undefined;
  /** For ids, hosts, UUIDs, commands and hashes only. */
  readonly mono?: boolean | undefined;
  /** One line, cut with "…". The full text is then the title. */
  readonly clip?: boolean | undefined;
  /** Two lines on a desk, cut with "…"; whole on a phone, which has no pointer to ask for the rest. A string is then the title. */
  readonly twoLines?: boolean | undefined;
  readonly nowrap?: boolean | undefined;
  readonly title?: string | undefined;
  readonly as?: "span" | "p" | "h1" | "h2" | "h3" | "strong" | "code" | "time" | undefined;
  readonly id?: string | undefined;
}

const WEIGHT = { regular: "font-normal", medium: "font-medium", bold: "font-semibold" } as const;

export function Text({ children, tone, size, weight, mono, clip, twoLines, nowrap, title, as: Tag = "span", id }: TextProps) {
  const classes = [
    tone === undefined ? "" : TONE_CLASS[tone],
    size === undefined ? "" : SIZE[size],
    weight === undefined ? "" : WEIGHT[weight],
    mono === true ? "font-mono text-[0.92em]" : "",
    clip === true ? "min-w-0 overflow-hidden text-ellipsis whitespace-nowrap" : "",
    twoLines === true ? "line-clamp-2 max-desk:line-clamp-none" : "",
    nowrap === true ? "whitespace-nowrap" : "",
  ];
  const fullText = title ?? ((clip === true || twoLines === true) && typeof children === "string" ? children : undefined);
  return (
    <Tag id={id} title={fullText} className={classes.filter(Boolean).join(" ")}>
      {children}
    </Tag>
  );
}

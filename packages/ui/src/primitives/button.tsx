import type { ComponentPropsWithRef, ReactNode } from "react";

/** `primary` once a page; `quiet` has no edge; `danger` only for what cannot be undone. */
export type ButtonKind = "plain" | "primary" | "quiet" | "danger";

export interface ButtonLook {
  readonly kind?: ButtonKind | undefined;
  /** `cell` is as wide as its words: a value in a table that can be pressed. */
  readonly size?: "regular" | "small" | "cell" | undefined;
  readonly children: ReactNode;
}

export type ButtonProps = ButtonLook & Omit<ComponentPropsWithRef<"button">, "className" | "style" | "children">;

const KIND = {
  plain: "border-line-2 text-t1 hover:bg-raise active:bg-press",
  primary: "border-accent bg-accent font-semibold text-accent-on hover:brightness-110",
  quiet: "border-transparent text-t2 hover:bg-raise hover:text-t1 active:bg-press",
  danger: "border-crit-ink text-crit-ink hover:bg-crit-wash",
} satisfies Record<ButtonKind, string>;

const SIZE = { regular: "h-7 px-3 max-desk:h-9", small: "h-6 px-2 max-desk:h-8", cell: "-mx-1 h-5 px-[3px] max-desk:h-8" } as const;

export function buttonClass({ kind = "plain", size = "regular" }: Pick<ButtonLook, "kind" | "size">): string {
  return `inline-flex items-center gap-2 rounded-control border text-note font-medium whitespace-nowrap disabled:border-line disabled:bg-transparent disabled:text-t4 ${KIND[kind]} ${SIZE[size]}`;
}

export function Button({ kind, size, children, ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest} className={buttonClass({ kind, size })}>
      {children}
    </button>
  );
}

export type ButtonAnchorProps = ButtonLook & Omit<ComponentPropsWithRef<"a">, "className" | "style" | "children">;

/** A place to go that looks like a button. Give it to the router's `createLink`. */
export function ButtonAnchor({ kind, size, children, ...rest }: ButtonAnchorProps) {
  return (
    <a {...rest} className={buttonClass({ kind, size })}>
      {children}
    </a>
  );
}

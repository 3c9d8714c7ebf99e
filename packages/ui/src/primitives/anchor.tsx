import type { ComponentPropsWithRef } from "react";

export type AnchorProps = Omit<ComponentPropsWithRef<"a">, "className" | "style"> & {
  /** `accent`: a visible link. `plain`: the words of a row or title that lead somewhere. `source`: under-dotted, for evidence. */
  readonly look?: "accent" | "plain" | "source" | undefined;
};

const LOOK = {
  accent: "text-accent hover:underline",
  plain: "text-inherit no-underline hover:underline",
  source: "text-t3 underline decoration-line-2 underline-offset-3 hover:text-t2",
} as const;

/** Give it to the router's `createLink` for places inside the application. */
export function Anchor({ look = "accent", children, ...rest }: AnchorProps) {
  return (
    <a {...rest} className={LOOK[look]}>
      {children}
    </a>
  );
}

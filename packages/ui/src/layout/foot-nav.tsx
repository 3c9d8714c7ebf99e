import type { ComponentPropsWithRef, ReactNode } from "react";

/** Navigation of a phone: up to five words at the foot. */
export function FootNav({ children }: { readonly children: ReactNode }) {
  return (
    <nav
      aria-label="Pages"
      data-print="hide"
      className="sticky bottom-0 z-20 hidden h-12 flex-none auto-cols-fr grid-flow-col border-t border-line bg-panel text-note text-t2 max-desk:grid"
    >
      {children}
    </nav>
  );
}

export type FootWordProps = Omit<ComponentPropsWithRef<"a">, "className" | "style">;

export function FootWord({ children, ...rest }: FootWordProps) {
  return (
    <a
      {...rest}
      className="relative grid place-items-center aria-[current=page]:font-semibold aria-[current=page]:text-t1 aria-[current=page]:before:absolute aria-[current=page]:before:inset-x-3 aria-[current=page]:before:-top-px aria-[current=page]:before:h-0.5 aria-[current=page]:before:bg-accent"
    >
      {children}
    </a>
  );
}

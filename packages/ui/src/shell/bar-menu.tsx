import { Popover as Radix } from "radix-ui";
import type { ReactNode } from "react";

export interface BarMenuProps {
  /** Spoken name of the control. */
  readonly label: string;
  /** What stands in the bar. */
  readonly face: ReactNode;
  readonly children: ReactNode;
}

/** Something in the top bar that opens a small panel: the clock its zones, the person their choices. */
export function BarMenu({ label, face, children }: BarMenuProps) {
  return (
    <Radix.Root>
      <Radix.Trigger aria-label={label} title={label} className="rounded-control hover:text-t1">
        {face}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="end"
          sideOffset={8}
          collisionPadding={8}
          aria-label={label}
          className="z-30 flex w-84 max-w-[calc(100vw-16px)] flex-col gap-3 rounded-control border border-line-2 bg-raise p-3 text-note shadow-popover outline-none"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** A labelled line of a menu or form: the words left, the control right. */
export function MenuLine({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-3 whitespace-nowrap">
      <span className="text-t2">{label}</span>
      {children}
    </div>
  );
}

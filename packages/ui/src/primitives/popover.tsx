import { Popover as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { Chevron } from "./select.tsx";

export interface PopoverProps {
  /** Words on the control that opens it. */
  readonly label: string;
  readonly children: ReactNode;
  readonly open?: boolean | undefined;
  readonly onOpenChange?: ((open: boolean) => void) | undefined;
  readonly align?: "start" | "end" | undefined;
  /** `menu` has an edge and a chevron, `quiet` is words alone. */
  readonly look?: "menu" | "quiet" | undefined;
}

export function Popover({ label, children, open, onOpenChange, align = "end", look = "menu" }: PopoverProps) {
  const control = {
    ...(open === undefined ? {} : { open }),
    ...(onOpenChange === undefined ? {} : { onOpenChange }),
  };
  return (
    <Radix.Root {...control}>
      <Radix.Trigger
        className={`relative inline-flex h-6 items-center rounded-control border text-note whitespace-nowrap hover:bg-raise ${look === "menu" ? "border-line-2 pr-6 pl-2 text-t1" : "border-transparent px-2 font-medium text-t2 hover:text-t1"}`}
      >
        {label}
        {look === "menu" ? <Chevron /> : null}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-30 max-h-(--radix-popover-content-available-height) w-80 max-w-[calc(100vw-16px)] overflow-auto rounded-control border border-line-2 bg-raise p-3 text-note shadow-popover outline-none"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

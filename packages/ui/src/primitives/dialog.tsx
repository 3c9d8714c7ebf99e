import { Dialog as Radix } from "radix-ui";
import { useRef, type ReactNode } from "react";

export interface DialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** A question or a statement: "Roll back llm-405b on fjord-1 to 48,000?" */
  readonly title: string;
  readonly description?: ReactNode;
  readonly children?: ReactNode;
  /** Buttons, the one that acts first. */
  readonly actions: ReactNode;
  /** `wide` for things side by side. */
  readonly size?: "regular" | "wide" | undefined;
}

const WIDTH = { regular: "top-[18vh] max-h-[78vh] w-[520px]", wide: "top-[6vh] max-h-[88vh] w-[1080px]" } as const;

/** Asks once more before something is recorded. Focus is trapped and goes back; Escape closes. */
export function Dialog({ open, onOpenChange, title, description, children, actions, size = "regular" }: DialogProps) {
  // There is no trigger that Radix knows of: whatever had the focus when it opened gets it back.
  const opener = useRef<Element | null>(null);
  const giveBack = (event: Event): void => {
    event.preventDefault();
    if (opener.current instanceof HTMLElement) opener.current.focus();
  };
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-bg/70" />
        <Radix.Content
          onOpenAutoFocus={() => {
            opener.current = document.activeElement;
          }}
          onCloseAutoFocus={giveBack}
          {...(description === undefined ? { "aria-describedby": undefined } : {})}
          className={`fixed left-1/2 z-50 flex max-w-[calc(100vw-24px)] -translate-x-1/2 flex-col gap-2 overflow-auto rounded-control border border-line-2 bg-raise px-3.5 py-3 text-note shadow-popover outline-none ${WIDTH[size]}`}
        >
          <Radix.Title className="text-[14px]/[20px] font-semibold">{title}</Radix.Title>
          {description === undefined ? null : (
            <Radix.Description asChild>
              <div className="text-t2">{description}</div>
            </Radix.Description>
          )}
          {children}
          <div className="mt-1 flex flex-wrap items-center gap-2">{actions}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

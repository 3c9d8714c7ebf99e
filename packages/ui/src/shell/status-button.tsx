import type { ReactNode } from "react";

/** A control in the status line: words of the line's own size. */
export function StatusButton({
  label,
  onPress,
  children,
}: {
  readonly label: string;
  readonly onPress: () => void;
  readonly children: ReactNode;
}) {
  return (
    <button type="button" aria-label={label} onClick={onPress} className="inline-flex items-center gap-1.5 hover:text-t1 max-desk:hidden">
      {children}
    </button>
  );
}

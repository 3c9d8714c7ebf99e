import { useEffect, useState } from "react";
import { Button } from "./button.tsx";

export interface CopyButtonProps {
  readonly text: string;
  readonly label?: string | undefined;
}

const SAID_MS = 2000;

/** Puts a text on the clipboard and says whether that worked. */
export function CopyButton({ text, label = "Copy" }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<"copied" | "failed" | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), SAID_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setOutcome("copied"),
      () => setOutcome("failed"),
    );
  };
  const words = { copied: "Copied", failed: "Not copied: select the text" } as const;
  return (
    <Button kind="quiet" size="small" onClick={copy}>
      <span aria-live="polite">{outcome === null ? label : words[outcome]}</span>
    </Button>
  );
}

/** A command or an id to take away. */
export function CommandLine({ command, label = "Command" }: { readonly command: string; readonly label?: string | undefined }) {
  return (
    <div className="flex min-h-[30px] min-w-0 items-center gap-3 border-t border-line px-4 text-note max-desk:flex-wrap max-desk:px-3 max-desk:py-2">
      <span className="text-label whitespace-nowrap text-t3">{label}</span>
      <code className="min-w-0 overflow-hidden font-mono text-[11.5px]/[16px] text-ellipsis whitespace-nowrap max-desk:whitespace-normal max-desk:[overflow-wrap:anywhere]">
        {command}
      </code>
      <span className="ml-auto">
        <CopyButton text={command} />
      </span>
    </div>
  );
}

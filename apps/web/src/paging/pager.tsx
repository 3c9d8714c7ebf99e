import { Button, formatCount, formatInteger, Inline, Inset } from "@trainwatch/ui";

export interface PagerProps {
  readonly shown: number;
  readonly total: number;
  readonly noun: string;
  readonly isFirst: boolean;
  /** Where the next page begins; null on the last one. */
  readonly next: string | null;
  /** Null goes to the first page. */
  readonly onGo: (cursor: string | null) => void;
}

/** How many of how many are shown, and the ways to the others. The browser's Back is the page before. */
export function Pager({ shown, total, noun, isFirst, next, onGo }: PagerProps) {
  const count = isFirst && next === null ? formatCount(total, noun) : `${formatInteger(shown)} of ${formatCount(total, noun)}`;
  return (
    <Inset foot>
      <Inline gap={3}>
        <span>{count}</span>
        {isFirst ? null : (
          <Button size="small" onClick={() => onGo(null)}>
            First page
          </Button>
        )}
        {next === null ? null : (
          <Button size="small" onClick={() => onGo(next)}>
            Next page
          </Button>
        )}
      </Inline>
    </Inset>
  );
}

import { Button, EmptyState, ErrorState, Inline, Notice } from "@trainwatch/ui";
import type { ReactNode } from "react";
import { When } from "../clock/when.tsx";
import type { Failure } from "../data/failure.ts";
import type { Loaded } from "../data/loaded.ts";

export interface LoadedViewProps<T> {
  readonly loaded: Loaded<T>;
  /** What is asked for, as the subject of a sentence: "The run list". */
  readonly what: string;
  /** Of the final size. */
  readonly skeleton: ReactNode;
  readonly children: (data: T) => ReactNode;
}

/** Loading, failed or ready; an answer that could not be refreshed stays, and says since when it is old. */
export function LoadedView<T>({ loaded, what, skeleton, children }: LoadedViewProps<T>) {
  if (loaded.status === "loading") return skeleton;
  if (loaded.status === "failed") return <Failed failure={loaded.failure} what={what} onRetry={loaded.retry} />;
  return (
    <>
      {loaded.refreshFailure === null ? null : (
        <OldAnswer what={what} failure={loaded.refreshFailure} asOfMs={loaded.asOfMs} onRetry={loaded.retry} />
      )}
      {children(loaded.data)}
    </>
  );
}

function Failed({ failure, what, onRetry }: { readonly failure: Failure; readonly what: string; readonly onRetry: () => void }) {
  if (failure.kind === "not-found") return <EmptyState title={`${what} is not there`}>{failure.message}</EmptyState>;
  if (failure.kind === "forbidden") return <EmptyState title={`${what} may not be seen with this token`}>{failure.message}</EmptyState>;
  return (
    <ErrorState
      title={`${what} could not be read`}
      detail={`${failure.message} What the server has taken in is safe.`}
      reference={failure.id}
      onRetry={onRetry}
    />
  );
}

function OldAnswer({
  what,
  failure,
  asOfMs,
  onRetry,
}: {
  readonly what: string;
  readonly failure: Failure;
  readonly asOfMs: number;
  readonly onRetry: () => void;
}) {
  return (
    <Notice mark="warning" lit>
      <Inline>
        <span>
          {what} is from <When ms={asOfMs} show="both" />. {failure.message}
        </span>
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      </Inline>
    </Notice>
  );
}

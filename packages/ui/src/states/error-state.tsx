import { Button } from "../primitives/button.tsx";
import { SeverityShape } from "../primitives/severity-shape.tsx";

export interface ErrorStateProps {
  /** What failed, in words: "This chart could not be read". */
  readonly title: string;
  /** What the server said, and that data is safe. */
  readonly detail: string;
  /** To quote when asking for help. */
  readonly reference?: string | null | undefined;
  readonly onRetry?: (() => void) | undefined;
}

/** What failed, that data is safe, one way on, an id. */
export function ErrorState({ title, detail, reference, onRetry }: ErrorStateProps) {
  return (
    <div role="alert" className="flex flex-1 flex-col items-start justify-center gap-1.5 px-4 py-6 max-desk:px-3">
      <b className="inline-flex items-center gap-1.5 font-semibold">
        <SeverityShape mark="critical" />
        {title}
      </b>
      <p className="text-note text-t2">{detail}</p>
      <div className="mt-1 flex items-center gap-2">
        {onRetry === undefined ? null : (
          <Button size="small" onClick={onRetry}>
            Try again
          </Button>
        )}
        {typeof reference === "string" ? <span className="font-mono text-label text-t3">{reference}</span> : null}
      </div>
    </div>
  );
}

import { failureOf, type Failure } from "./failure.ts";

/** A value on its way: loading, failed or ready, and never two of them. */
export type Loaded<T> =
  | { readonly status: "loading" }
  | { readonly status: "failed"; readonly failure: Failure; readonly retry: () => void }
  | {
      readonly status: "ready";
      readonly data: T;
      /** When this answer came, on this browser's clock (epoch ms). */
      readonly asOfMs: number;
      /** The last refresh failed: what is shown is old. */
      readonly refreshFailure: Failure | null;
      /** The answer belongs to the previous question (a page or a zoom ago) while the new one is on its way. */
      readonly isPrevious: boolean;
      readonly retry: () => void;
    };

interface QueryLike<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly dataUpdatedAt: number;
  readonly isPlaceholderData: boolean;
  readonly refetch: () => unknown;
}

export function loadedOf<T>(query: QueryLike<T>): Loaded<T> {
  const retry = () => void query.refetch();
  const failure = query.error === null || query.error === undefined ? null : failureOf(query.error);
  if (query.data !== undefined && !(failure !== null && query.isPlaceholderData)) {
    return {
      status: "ready",
      data: query.data,
      asOfMs: query.dataUpdatedAt,
      refreshFailure: failure,
      isPrevious: query.isPlaceholderData,
      retry,
    };
  }
  return failure === null ? { status: "loading" } : { status: "failed", failure, retry };
}

/** The data when there is some, else null: for places that show nothing until it comes. */
export function dataOf<T>(loaded: Loaded<T>): T | null {
  return loaded.status === "ready" ? loaded.data : null;
}

import { QueryClient, QueryObserver } from "@tanstack/react-query";
import type { LiveMove } from "@trainwatch/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { COALESCE_MS, createRefresher } from "./refresher.ts";
import { LIST_REFRESH_MS } from "./tail.ts";

const move = (runId: number, more: Partial<LiveMove> = {}): LiveMove => ({
  runId,
  lastStep: 10,
  samples: 1,
  atMs: 0,
  incidentsChanged: false,
  ...more,
});

/** A page that shows some answers, and a tab that can be hidden; counts how often each answer was asked for. */
function page() {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } } });
  const asked = new Map<string, number>();
  let isHidden = false;
  let wake = (): void => undefined;
  const refresher = createRefresher(queries, {
    isHidden: () => isHidden,
    onVisible: (listener) => {
      wake = listener;
      return () => undefined;
    },
    now: Date.now,
  });
  const show = (name: string, path: readonly string[], input: unknown, takesMs = 0): void => {
    const queryFn = async (): Promise<number> => {
      asked.set(name, (asked.get(name) ?? 0) + 1);
      if (takesMs > 0) await new Promise((resolve) => setTimeout(resolve, takesMs));
      return 1;
    };
    new QueryObserver(queries, { queryKey: [path, { input, type: "query" }], queryFn }).subscribe(() => undefined);
  };
  const hide = (): void => void (isHidden = true);
  const unhide = (): void => {
    isHidden = false;
    wake();
  };
  return { refresher, show, asked: (name: string) => asked.get(name) ?? 0, hide, unhide };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("refetching what a live move makes old", () => {
  it("asks for the moved run's tail and leaves other runs and zoomed windows alone", async () => {
    const { refresher, show, asked } = page();
    show("tail", ["series", "window"], { runId: 1, to: null });
    show("zoom", ["series", "window"], { runId: 1, to: 500 });
    show("other", ["series", "window"], { runId: 2, to: null });
    show("run", ["runs", "get"], { runId: 1 });
    await vi.advanceTimersByTimeAsync(1);
    refresher.moved(move(1));
    await vi.advanceTimersByTimeAsync(COALESCE_MS + 1);
    expect(["tail", "zoom", "other", "run"].map(asked)).toEqual([2, 1, 1, 2]);
  });

  it("asks once for many moves, and within two seconds", async () => {
    const { refresher, show, asked } = page();
    show("tail", ["series", "window"], { runId: 1, to: null });
    await vi.advanceTimersByTimeAsync(1);
    for (let count = 0; count < 100; count++) refresher.moved(move(1));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(asked("tail")).toBe(2);
  });

  it("lets a slow answer come before it asks again, and then does ask again", async () => {
    const { refresher, show, asked } = page();
    show("tail", ["series", "window"], { runId: 1, to: null }, 1_000);
    await vi.advanceTimersByTimeAsync(1);
    refresher.moved(move(1));
    await vi.advanceTimersByTimeAsync(COALESCE_MS * 2);
    expect(asked("tail")).toBe(1);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(asked("tail")).toBe(2);
  });

  it("asks nothing in a hidden tab and back-fills on return", async () => {
    const { refresher, show, asked, hide, unhide } = page();
    show("tail", ["series", "window"], { runId: 1, to: null });
    await vi.advanceTimersByTimeAsync(1);
    hide();
    refresher.moved(move(1));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked("tail")).toBe(1);
    unhide();
    await vi.advanceTimersByTimeAsync(COALESCE_MS + 1);
    expect(asked("tail")).toBe(2);
  });

  it("refreshes lists of all runs at their own pace however many runs move", async () => {
    const { refresher, show, asked } = page();
    show("overview", ["overview", "get"], undefined);
    await vi.advanceTimersByTimeAsync(1);
    for (let count = 0; count < 40; count++) {
      refresher.moved(move(count));
      await vi.advanceTimersByTimeAsync(100);
    }
    await vi.advanceTimersByTimeAsync(LIST_REFRESH_MS);
    expect(asked("overview")).toBeGreaterThanOrEqual(3);
    expect(asked("overview")).toBeLessThanOrEqual(5);
  });

  it("asks for comparisons and trends when results of evaluations have come, at their own pace, and at no other move", async () => {
    const { refresher, show, asked } = page();
    show("release", ["releases", "get"], { releaseId: 1 });
    show("trends", ["scorecards", "trend"], { runId: 1 });
    show("inbox", ["incidents", "list"], {});
    await vi.advanceTimersByTimeAsync(1);
    refresher.moved(move(1));
    await vi.advanceTimersByTimeAsync(COALESCE_MS + 1);
    expect(["release", "trends"].map(asked)).toEqual([1, 1]);
    for (let part = 0; part < 5; part++) {
      refresher.moved(move(7, { evaluationsChanged: true }));
      await vi.advanceTimersByTimeAsync(COALESCE_MS + 1);
    }
    expect(["release", "trends", "inbox"].map(asked)).toEqual([2, 2, 1]);
    await vi.advanceTimersByTimeAsync(LIST_REFRESH_MS);
    expect(["release", "trends", "inbox"].map(asked)).toEqual([3, 3, 1]);
  });

  it("asks for incidents only when one has changed", async () => {
    const { refresher, show, asked } = page();
    show("inbox", ["incidents", "list"], {});
    show("status", ["status", "get"], undefined);
    await vi.advanceTimersByTimeAsync(1);
    refresher.moved(move(1));
    await vi.advanceTimersByTimeAsync(COALESCE_MS + 1);
    expect([asked("inbox"), asked("status")]).toEqual([1, 1]);
    refresher.moved(move(1, { incidentsChanged: true }));
    await vi.advanceTimersByTimeAsync(COALESCE_MS + 1);
    expect([asked("inbox"), asked("status")]).toEqual([2, 2]);
  });
});

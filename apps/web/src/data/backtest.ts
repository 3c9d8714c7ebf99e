import { useMutation } from "@tanstack/react-query";
import type { BacktestView, RuleInput } from "@trainwatch/core";
import { useRef } from "react";
import { useTRPCClient } from "./trpc.ts";
import { verbOf, type Verb } from "./verb.ts";

export interface BacktestQuestion {
  readonly rule: RuleInput;
  /** Runs to try it on; empty: the newest ones. */
  readonly runIds: readonly number[];
  readonly lastRuns: number;
  /** Of the fleet, epoch ms; null: the last hour. */
  readonly window: { readonly fromMs: number; readonly toMs: number } | null;
}

export interface Backtest extends Verb<BacktestQuestion, BacktestView> {
  readonly answer: BacktestView | null;
  /** Ends a back-test that goes on: the server stops reading. */
  readonly cancel: () => void;
}

/** Tries a rule on what is stored. Nothing is asked until somebody asks: it reads millions of samples. */
export function useBacktest(): Backtest {
  const client = useTRPCClient();
  const running = useRef<AbortController | null>(null);
  const mutation = useMutation({
    mutationFn: ({ runIds, ...question }: BacktestQuestion): Promise<BacktestView> => {
      running.current?.abort();
      running.current = new AbortController();
      return client.rules.backtest.query({ ...question, runIds: [...runIds] }, { signal: running.current.signal });
    },
  });
  return {
    ...verbOf(mutation),
    answer: mutation.data ?? null,
    cancel: () => {
      running.current?.abort();
      mutation.reset();
    },
  };
}

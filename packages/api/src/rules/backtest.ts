import type { BacktestView } from "@trainwatch/core";
import { backtest, backtestInput } from "../backtest/backtest.ts";
import { readVerb } from "../procedures.ts";

/** What a rule would have said of stored runs, or of the fleet over some hours, before it pages anybody. Ends with the request. */
export const backtestRule = readVerb
  .input(backtestInput)
  .query(({ ctx, input, signal }): Promise<BacktestView> =>
    backtest({ store: ctx.store, views: ctx.fleetViews, now: ctx.now, signal }, input),
  );

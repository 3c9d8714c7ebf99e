import type { BacktestView, DetectorFamily, Rule } from "@trainwatch/core";
import { Button, EmptyState, Inline, Inset, Notice, ProgressBar, Section, Segmented, Stack, Text } from "@trainwatch/ui";
import { useState } from "react";
import { useNow } from "../../../clock/now.tsx";
import { useBacktest } from "../../../data/backtest.ts";
import { BacktestAnswer } from "./backtest-answer.tsx";

export interface BacktestPanelProps {
  /** Null while the form is not whole. */
  readonly rule: Rule | null;
  readonly family: DetectorFamily | "metric";
  /** Shows what is wrong with the form. */
  readonly onTouch: () => void;
}

const RUN_COUNTS = ["5", "10", "50"] as const;
const HOUR_MS = 3_600_000;
const WINDOWS = { "1 h": HOUR_MS, "24 h": 24 * HOUR_MS, "7 d": 7 * 24 * HOUR_MS } as const;
type WindowName = keyof typeof WINDOWS;
/** The server stops by itself after this, and says what it has read by then. */
const LIMIT_MS = 25_000;

/** Tries the rule before it pages anybody. */
export function BacktestPanel({ rule, family, onTouch }: BacktestPanelProps) {
  const [lastRuns, setLastRuns] = useState<(typeof RUN_COUNTS)[number]>("10");
  const [windowName, setWindow] = useState<WindowName>("24 h");
  const [asked, setAsked] = useState<{ readonly key: string; readonly atMs: number } | null>(null);
  const backtest = useBacktest();
  const nowMs = useNow();
  const key = JSON.stringify(rule);
  const isFleet = family === "fleet";
  const run = (): void => {
    onTouch();
    if (rule === null) return;
    setAsked({ key, atMs: nowMs });
    const { runId } = rule.scope;
    const window = isFleet ? { fromMs: nowMs - WINDOWS[windowName], toMs: nowMs } : null;
    backtest.send({ rule, runIds: runId === null ? [] : [runId], lastRuns: Number(lastRuns), window });
  };
  return (
    <Section
      title="Back-test"
      note="what it would have said"
      trailing={<Cancel isSending={backtest.isSending} onCancel={backtest.cancel} />}
    >
      <Inset>
        <Stack gap={2}>
          <Inline gap={3} wrap>
            {isFleet ? (
              <Segmented
                label="Of the fleet"
                value={windowName}
                onChange={setWindow}
                options={(["1 h", "24 h", "7 d"] as const).map((value) => ({ value, label: `last ${value}` }))}
              />
            ) : rule?.scope.runId === null || rule === null ? (
              <Segmented
                label="Runs"
                value={lastRuns}
                onChange={setLastRuns}
                options={RUN_COUNTS.map((value) => ({ value, label: `last ${value} runs` }))}
              />
            ) : (
              <Text tone="text">{`on run ${rule.scope.runId}`}</Text>
            )}
            <Button size="small" disabled={backtest.isSending} onClick={run}>
              Back-test
            </Button>
          </Inline>
          {family === "clock" ? (
            <Text size="label" tone="label">
              The clock is told again by the times of samples, saves and pushes; what these cannot bring back is named with the answer.
            </Text>
          ) : null}
        </Stack>
      </Inset>
      {backtest.isSending && asked !== null ? (
        <Inset>
          <Inline>
            <ProgressBar share={(nowMs - asked.atMs) / LIMIT_MS} label="Time that it may take" />
            <Text tone="text">Reading what is stored. It stops by itself after 25 s and says what it has read.</Text>
          </Inline>
        </Inset>
      ) : null}
      {backtest.failure === null ? null : (
        <Notice mark="warning" lit>
          {backtest.failure.message}
        </Notice>
      )}
      <Answer answer={backtest.answer} isOld={asked !== null && asked.key !== key} isSending={backtest.isSending} />
    </Section>
  );
}

function Cancel({ isSending, onCancel }: { readonly isSending: boolean; readonly onCancel: () => void }) {
  return isSending ? (
    <Button size="small" kind="quiet" onClick={onCancel}>
      Stop
    </Button>
  ) : null;
}

function Answer({
  answer,
  isOld,
  isSending,
}: {
  readonly answer: BacktestView | null;
  readonly isOld: boolean;
  readonly isSending: boolean;
}) {
  if (answer === null) {
    return isSending ? null : (
      <EmptyState title="Not tried yet">It reads stored runs, or the fleet&apos;s readings, and stores nothing. Nobody is told.</EmptyState>
    );
  }
  return (
    <>
      {isOld ? <Notice mark="unknown">The rule was changed since: what is below is of the one before.</Notice> : null}
      <BacktestAnswer answer={answer} />
    </>
  );
}

import type { RunDetail } from "@trainwatch/core";
import { formatDuration, formatInteger, Notice, StaleNote } from "@trainwatch/ui";
import { useNow } from "../../clock/now.tsx";
import { When } from "../../clock/when.tsx";

/** What a reader must know before trusting the charts. */
export function RunNotices({ run }: { readonly run: RunDetail }) {
  const nowMs = useNow();
  const age = run.lastSampleAtMs === null ? null : formatDuration(Math.max(0, nowMs - run.lastSampleAtMs));
  return (
    <>
      {(run.state === "silent" || run.state === "stalled") && age !== null ? (
        <StaleNote age={age}>{run.stateReason ?? STALE_WORDS[run.state]}</StaleNote>
      ) : null}
      {run.state === "crashed" ? (
        <Notice mark="critical" lit>
          Crashed <When ms={run.stateSinceMs} show="both" />. {run.stateReason}
        </Notice>
      ) : null}
      <Questions run={run} />
      {run.stepIsConstant ? (
        <Notice mark="warning" lit>
          Step is constant: all points have step {run.lastStep}. Drawn against time where times are known.
        </Notice>
      ) : null}
      {run.zoneAssumed ? <Notice mark="unknown">The source names no time zone; its times are read as UTC.</Notice> : null}
      {run.archivedAtMs === null ? null : <Notice mark="info">This run is archived: it is kept and left out of the lists.</Notice>}
    </>
  );
}

/** Attempts that began anew without a word from the source (C2): nobody is asked to decide, but nobody is left to guess either. */
function Questions({ run }: { readonly run: RunDetail }) {
  const asked = run.attempts.filter((attempt) => attempt.question === "counter-reset");
  if (asked.length === 0) return null;
  const names = asked.map((attempt) => `${attempt.name} at step ${formatInteger(attempt.firstStep)}`).join(", ");
  return (
    <Notice mark="unknown">
      Steps began anew ({names}) and the source does not say why: a restart from scratch, or a counter that was reset? All attempts are
      kept.
    </Notice>
  );
}

const STALE_WORDS = {
  silent: "No data for longer than expected; the run may still be going on",
  stalled: "No step for longer than the hang limit",
} as const;

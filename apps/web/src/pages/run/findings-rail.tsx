import type { Finding, FindingPage, RunDetail } from "@trainwatch/core";
import {
  EmptyState,
  FindingItem,
  FindingList,
  formatCount,
  formatInteger,
  formatMoment,
  Inset,
  KeyHint,
  Section,
  SeverityWord,
  SkeletonRows,
  Text,
} from "@trainwatch/ui";
import { isRolledBack } from "@trainwatch/ui/charts/prepare";
import type { ReactNode } from "react";
import { useNow } from "../../clock/now.tsx";
import { dataOf, type Loaded } from "../../data/loaded.ts";
import { useStatus } from "../../data/system.ts";
import { useKeys } from "../../keys/keys.tsx";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { useZone } from "../../zone/zone.tsx";
import { byOnset, findingMark, findingTitle, neighbour } from "./finding-words.ts";
import { useShowFinding } from "./use-show-finding.ts";
import { useShownView } from "./shown-view.tsx";
import { useRunSearch } from "./use-run-search.ts";

/** What the detectors said, newest onset first; pressing one brings its onset into view. */
export function FindingsRail({ run, loaded }: { readonly run: RunDetail; readonly loaded: Loaded<FindingPage> }) {
  return (
    <>
      <Section
        title="Findings"
        note="in this range"
        trailing={
          <>
            <KeyHint keys="n p" /> next, previous
          </>
        }
      >
        <LoadedView loaded={loaded} what="The findings" skeleton={<SkeletonRows label="findings" rows={5} heightPx={52} />}>
          {({ items, total }) => <Findings run={run} findings={items} older={total - items.length} />}
        </LoadedView>
      </Section>
      <Blind run={run} />
    </>
  );
}

interface FindingsProps {
  readonly run: RunDetail;
  readonly findings: readonly Finding[];
  /** Findings from before these that are not given. */
  readonly older: number;
}

function Findings({ run, findings, older }: FindingsProps) {
  const { search } = useRunSearch();
  const { steps } = useShownView();
  const show = useShowFinding(run);
  const { zone } = useZone();
  const nowMs = useNow();
  const ordered = byOnset(findings);
  const go = (direction: 1 | -1): void => {
    const next = neighbour(ordered, search.finding, direction);
    if (next !== undefined) show(next);
  };
  useKeys(
    findings.length === 0
      ? []
      : [
          { keys: "n", label: "Next finding", group: "Charts", run: () => go(1) },
          { keys: "p", label: "Previous finding", group: "Charts", run: () => go(-1) },
        ],
  );
  const inRange = (finding: Finding): boolean =>
    steps === null || finding.onsetStep === null || (finding.onsetStep >= steps.from && finding.onsetStep <= steps.to);
  const shown = [...ordered].filter((finding) => inRange(finding) || finding.id === search.finding).reverse();
  const outside = findings.length - shown.length;
  return (
    <>
      {shown.length === 0 && steps !== null ? <NoFindings run={run} elsewhere={outside > 0} /> : null}
      <FindingList label="Findings">
        {shown.map((finding) => (
          <FindingItem
            key={finding.id}
            mark={findingMark(finding)}
            title={findingTitle(finding)}
            at={finding.onsetStep === null ? formatMoment(finding.onsetTimeMs, zone, nowMs) : formatInteger(finding.onsetStep)}
            hint={finding.summary}
            trailing={isRolledBack(finding, run.attempts) ? "these steps were rolled back" : undefined}
            selected={finding.id === search.finding}
            onSelect={() => show(finding)}
          >
            {finding.severity === "info" && finding.id !== search.finding ? undefined : finding.summary}
          </FindingItem>
        ))}
      </FindingList>
      {outside > 0 ? <Remainder>{formatCount(outside, "more finding")} outside this range</Remainder> : null}
      {older > 0 ? <Remainder>{formatCount(older, "older finding")} not listed</Remainder> : null}
    </>
  );
}

function Remainder({ children }: { readonly children: ReactNode }) {
  return (
    <Inset>
      <Text tone="label" size="label">
        {children}
      </Text>
    </Inset>
  );
}

/** Nothing found is good news only where somebody looked. */
function NoFindings({ run, elsewhere }: { readonly run: RunDetail; readonly elsewhere: boolean }) {
  if (!run.watched) return <EmptyState title="Not judged yet">Too few points so far for a detector to speak.</EmptyState>;
  return (
    <Inset>
      <SeverityWord mark="ok">
        {elsewhere ? "No finding in this range" : `0 findings in ${formatCount(run.pointCount, "point")}`}
      </SeverityWord>
    </Inset>
  );
}

/** Detectors that cannot see this run, and why: absence of findings is not health there. */
function Blind({ run }: { readonly run: RunDetail }) {
  const status = dataOf(useStatus());
  const blind = status?.blind.filter((entry) => entry.runId === run.id) ?? [];
  if (blind.length === 0) return null;
  return (
    <Inset>
      <SeverityWord mark="unknown">
        <Text weight="bold">Not watched in this run</Text>
      </SeverityWord>
      {blind.map((entry) => (
        <Text key={entry.detector} as="p" tone="text">
          {entry.detector}: {entry.why}
        </Text>
      ))}
    </Inset>
  );
}

import type { ScorecardPage, ScorecardSummary } from "@trainwatch/core";
import { Button, Cell, EmptyState, formatInteger, HeadCell, Row, SkeletonRows, Stack, Table, Text, TextField } from "@trainwatch/ui";
import { useEffect, useState } from "react";
import { When } from "../../clock/when.tsx";
import { useScorecards } from "../../data/scorecards.ts";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { chooseBaseline, scorecardLabel, toggleCandidate, type DraftProps } from "./release-draft.ts";

/** A pause in typing after which the server is asked. */
const TYPING_PAUSE_MS = 250;

/** Scorecards found by run, model or step, each to be baseline or candidate. */
export function ScorecardChoice({ draft, onChange }: DraftProps) {
  const [text, setText] = useState("");
  const [asked, setAsked] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const scorecards = useScorecards(asked);
  return (
    <Stack>
      <TextField
        label="Find scorecards by run, model or step"
        type="search"
        value={text}
        placeholder="rl-70b 1800"
        onChange={(event) => setText(event.target.value)}
      />
      <LoadedView loaded={scorecards} what="The list of scorecards" skeleton={<SkeletonRows label="scorecards" rows={6} />}>
        {(page) =>
          page.items.length === 0 ? (
            <NoScorecards isAsked={asked !== ""} />
          ) : (
            <ScorecardTable page={page} draft={draft} onChange={onChange} />
          )
        }
      </LoadedView>
    </Stack>
  );
}

function ScorecardTable({ page, draft, onChange }: DraftProps & { readonly page: ScorecardPage }) {
  return (
    <>
      <Table
        label="Scorecards"
        density="tight"
        head={
          <>
            <HeadCell>What was evaluated</HeadCell>
            <HeadCell numeric>Results</HeadCell>
            <HeadCell wide numeric>
              Samples
            </HeadCell>
            <HeadCell wide>Newest</HeadCell>
            <HeadCell>Take as</HeadCell>
          </>
        }
      >
        {page.items.map((scorecard) => (
          <ScorecardRow key={scorecard.scorecardId} scorecard={scorecard} draft={draft} onChange={onChange} />
        ))}
      </Table>
      {page.total > page.items.length ? (
        <Text
          tone="label"
          size="label"
        >{`The newest ${formatInteger(page.items.length)} of ${formatInteger(page.total)}; type to find others`}</Text>
      ) : null}
    </>
  );
}

function ScorecardRow({ scorecard, draft, onChange }: DraftProps & { readonly scorecard: ScorecardSummary }) {
  const { scorecardId } = scorecard;
  const chosen = { scorecardId, label: scorecardLabel(scorecard) };
  const isBaseline = draft.baseline?.scorecardId === scorecardId;
  const isCandidate = draft.candidates.some((candidate) => candidate.scorecardId === scorecardId);
  return (
    <Row selected={isBaseline || isCandidate}>
      <Cell maxWidthPx={420} title={`${scorecard.model}${scorecard.path === null ? "" : `, ${scorecard.path}`}`}>
        {chosen.label}
      </Cell>
      <Cell numeric>{formatInteger(scorecard.results)}</Cell>
      <Cell wide numeric>
        {formatInteger(scorecard.samples)}
      </Cell>
      <Cell wide>
        <When ms={scorecard.newestResultAtMs} show="moment" />
      </Cell>
      <Cell>
        <Button
          size="small"
          kind={isBaseline ? "plain" : "quiet"}
          aria-pressed={isBaseline}
          aria-label={`${chosen.label} as baseline`}
          onClick={() => onChange(chooseBaseline(draft, chosen))}
        >
          Baseline
        </Button>{" "}
        <Button
          size="small"
          kind={isCandidate ? "plain" : "quiet"}
          aria-pressed={isCandidate}
          aria-label={`${chosen.label} as candidate`}
          onClick={() => onChange(toggleCandidate(draft, chosen))}
        >
          Candidate
        </Button>
      </Cell>
    </Row>
  );
}

function NoScorecards({ isAsked }: { readonly isAsked: boolean }) {
  if (isAsked) return <EmptyState title="No scorecard fits these words" />;
  return (
    <EmptyState title="No evaluation has been imported yet" command="npx trainwatch import --run PROJECT/NAME evals/">
      Results of lm-evaluation-harness, Inspect, BFCL and others are read from files:
    </EmptyState>
  );
}

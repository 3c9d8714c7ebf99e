import { CAUSE_WORDS, type CauseAssessment, type IncidentDetail, type RankedCause } from "@trainwatch/core";
import { Button, CauseItem, CauseList, EvidenceGroup, EvidenceRow, Inset, NextStep, Section, Text } from "@trainwatch/ui";
import { useState } from "react";
import { MoreButton, useFold } from "../../paging/fold.tsx";
import { accusedWord, factorWord, factsWord, sideOf, weightWord } from "../../words/cause-words.ts";
import { FleetLink } from "./fleet-link.tsx";
import { ReplayDialog } from "./replay-dialog.tsx";

/** What may be behind it, with the facts on each side, and the test that could change that. */
export function CausesPanel({ incident, assessment }: { readonly incident: IncidentDetail; readonly assessment: CauseAssessment }) {
  const [first] = assessment.causes;
  const [open, setOpen] = useState<string | null>(first === undefined ? null : keyOf(first));
  return (
    <Section title="Causes" note="each fact multiplies the odds of its cause" trailing={<ConfidenceNote assessment={assessment} />}>
      {first === undefined ? (
        <Inset>
          <Text tone="text">No fact bears on a cause so far.</Text>
        </Inset>
      ) : (
        <CauseList label="Causes">
          {assessment.causes.map((cause) => {
            const key = keyOf(cause);
            return (
              <CauseItem
                key={key}
                name={nameOf(cause)}
                title={<CauseTitle cause={cause} />}
                share={cause.share}
                note={factsWord(cause.facts)}
                lit={cause === first && assessment.word !== "not settled"}
                open={open === key}
                onToggle={() => setOpen(open === key ? null : key)}
              >
                <CauseFacts cause={cause} />
              </CauseItem>
            );
          })}
        </CauseList>
      )}
      <NextTest incident={incident} assessment={assessment} />
    </Section>
  );
}

function keyOf({ cause, subjectId }: RankedCause): string {
  return `${cause} ${subjectId ?? ""}`;
}

function nameOf({ cause, subjectKind, subjectId }: RankedCause): string {
  return subjectId === null ? CAUSE_WORDS[cause] : `${CAUSE_WORDS[cause]}: ${accusedWord(subjectKind, subjectId)}`;
}

function ConfidenceNote({ assessment }: { readonly assessment: CauseAssessment }) {
  return (
    <Text tone={assessment.word === "not settled" ? "label" : "value"} weight="medium">
      {assessment.word}
    </Text>
  );
}

function CauseTitle({ cause: { cause, subjectKind, subjectId } }: { readonly cause: RankedCause }) {
  const title = capital(CAUSE_WORDS[cause]);
  if (subjectId === null) return title;
  return (
    <>
      {title}{" "}
      <FleetLink kind={subjectKind ?? ""} id={subjectId}>
        {accusedWord(subjectKind, subjectId)}
      </FleetLink>
    </>
  );
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

const SIDES = [
  { side: "for", title: "For", none: "Nothing speaks for it." },
  { side: "against", title: "Against", none: "Nothing found against it. That is not the same as certainty." },
  { side: "neutral", title: "Says nothing", none: null },
] as const;

/** The heaviest first; the side against is always there, also when it is empty. */
function CauseFacts({ cause }: { readonly cause: RankedCause }) {
  return SIDES.map(({ side, title, none }) => {
    const facts = cause.facts
      .filter(({ logBayesFactor }) => sideOf(logBayesFactor) === side)
      .toSorted((a, b) => Math.abs(b.logBayesFactor) - Math.abs(a.logBayesFactor));
    if (facts.length === 0 && none === null) return null;
    return (
      <EvidenceGroup key={side} title={title} count={facts.length}>
        {facts.length === 0 ? (
          <li>
            <Inset>{none}</Inset>
          </li>
        ) : (
          <FactRows facts={facts} side={side} />
        )}
      </EvidenceGroup>
    );
  });
}

const FACTS_AT_A_GLANCE = 12;

function FactRows({ facts, side }: { readonly facts: RankedCause["facts"]; readonly side: (typeof SIDES)[number]["side"] }) {
  const fold = useFold(facts, FACTS_AT_A_GLANCE);
  return (
    <>
      {fold.shown.map((fact, index) => (
        <EvidenceRow
          key={`${fact.text}-${index}`}
          weight={side}
          source={weightWord(fact.logBayesFactor)}
          value={factorWord(fact.logBayesFactor)}
          note={fact.source}
        >
          {capital(fact.text)}
        </EvidenceRow>
      ))}
      <li>
        <MoreButton fold={fold} noun="fact" />
      </li>
    </>
  );
}

function NextTest({ incident, assessment }: { readonly incident: IncidentDetail; readonly assessment: CauseAssessment }) {
  const [isRecording, setRecording] = useState(false);
  const { nextTest } = assessment;
  const { runId } = incident;
  const dialog =
    isRecording && runId !== null ? <ReplayDialog incident={incident} runId={runId} onClose={() => setRecording(false)} /> : null;
  // A replay repeats a step of a run: without one there is none to repeat.
  const record =
    runId === null ? null : (
      <Button size="small" onClick={() => setRecording(true)}>
        Record a replay result…
      </Button>
    );
  // The dialog stands beside what it may change: a result that settles the next test must not close it unread.
  return (
    <>
      {nextTest === null ? (
        record === null ? null : (
          <Inset>{record}</Inset>
        )
      ) : (
        <NextStep
          label={assessment.word === "not settled" ? "Not settled: the test most worth doing" : "The test that could still change this"}
          actions={record}
        >
          <p>
            <Text weight="bold">{nextTest.test}</Text>
          </p>
          <Text tone="text">{nextTest.why}</Text>
        </NextStep>
      )}
      {dialog}
    </>
  );
}

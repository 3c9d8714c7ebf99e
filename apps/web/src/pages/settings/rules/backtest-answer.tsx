import type { BacktestFiring, BacktestIncident, BacktestView } from "@trainwatch/core";
import {
  Cell,
  Fact,
  Facts,
  formatCompact,
  formatCount,
  formatInteger,
  HeadCell,
  Inset,
  MISSING,
  Notice,
  Row,
  Section,
  SeverityWord,
  Table,
  Text,
} from "@trainwatch/ui";
import { When } from "../../../clock/when.tsx";
import { MoreButton, useFold } from "../../../paging/fold.tsx";
import { Link } from "../../../routing/link.tsx";
import { LABEL_WORDS } from "../../../words/label-words.ts";

/** Each tried run may have one. */
const MOST_CAVEATS = 3;

/** How often, where, and beside which incidents of the records. */
export function BacktestAnswer({ answer }: { readonly answer: BacktestView }) {
  const { fired, notes, matched, fresh, missed, labels, caveats, cut } = answer;
  return (
    <>
      {cut === null ? null : <Notice mark="unknown">{cut}</Notice>}
      {caveats.slice(0, MOST_CAVEATS).map((caveat) => (
        <Notice key={caveat} mark="unknown">
          {caveat}
        </Notice>
      ))}
      {caveats.length <= MOST_CAVEATS ? null : (
        <Notice mark="unknown">{`And ${formatCount(caveats.length - MOST_CAVEATS, "run")} more of which not all can be brought back.`}</Notice>
      )}
      <Facts>
        <Fact name="would have fired">
          <Text weight="bold">{formatCount(fired, "time")}</Text>
          {notes === 0 ? "" : `, and made ${formatCount(notes, "note")}`}
        </Fact>
        <Fact name="read">{readWord(answer)}</Fact>
        <Fact name="matched">{`${formatInteger(matched)} on an incident in the records${labelsWord(labels)}`}</Fact>
        <Fact name="new">{`${formatInteger(fresh)} where nobody was told`}</Fact>
        <Fact name="missed">{formatCount(missed.length, "incident")} that this detector found then and would not have found</Fact>
      </Facts>
      <Firings answer={answer} />
      <Missed missed={missed} />
    </>
  );
}

function readWord({ read }: BacktestView): string {
  const samples = formatCompact(read.samples);
  const many = `${samples.text}${samples.unit === "" ? "" : ` ${samples.unit}`} samples`;
  return read.ticks > 0
    ? `${many} in ${formatCount(read.ticks, "tick")} of the fleet`
    : `${many} of ${formatCount(read.runs.length, "run")}`;
}

function labelsWord({ right, wrong, unsure, unlabelled }: BacktestView["labels"]): string {
  const parts = [
    ...(right > 0 ? [`${right} labelled right`] : []),
    ...(wrong > 0 ? [`${wrong} wrong`] : []),
    ...(unsure > 0 ? [`${unsure} unsure`] : []),
    ...(unlabelled > 0 ? [`${unlabelled} not labelled`] : []),
  ];
  return parts.length === 0 ? "" : `: ${parts.join(", ")}`;
}

const AT_A_GLANCE = 12;

function Firings({ answer }: { readonly answer: BacktestView }) {
  const fold = useFold(answer.firings, AT_A_GLANCE);
  if (answer.firings.length === 0) return null;
  const note =
    answer.fired > answer.firings.length
      ? `the first ${formatInteger(answer.firings.length)} of ${formatInteger(answer.fired)}`
      : undefined;
  return (
    <Section plain title="Where" note={note}>
      <Table
        label="Where it would have fired"
        density="tight"
        head={
          <>
            <HeadCell>Severity</HeadCell>
            <HeadCell>Run</HeadCell>
            <HeadCell numeric>Known</HeadCell>
            <HeadCell>What</HeadCell>
            <HeadCell>In the records</HeadCell>
          </>
        }
      >
        {fold.shown.map((firing) => (
          <FiringRow key={`${firing.runId ?? ""} ${firing.findingId}`} firing={firing} />
        ))}
      </Table>
      <MoreButton fold={fold} noun="time" />
    </Section>
  );
}

function FiringRow({ firing }: { readonly firing: BacktestFiring }) {
  const { severity, runId, run, attempt, summary, detectedStep, detectedTimeMs, incidentId, label } = firing;
  return (
    <Row>
      <Cell>
        <SeverityWord mark={severity} />
      </Cell>
      <Cell maxWidthPx={110} title={run ?? undefined}>
        {runId === null ? (
          <Text tone="label">fleet</Text>
        ) : (
          <Link to="/runs/$runId" params={{ runId }}>
            {run} {attempt}
          </Link>
        )}
      </Cell>
      <Cell numeric>{detectedStep === null ? <When ms={detectedTimeMs} show="moment" /> : formatInteger(detectedStep)}</Cell>
      <Cell maxWidthPx={190} title={summary}>
        {summary}
      </Cell>
      <Cell>
        {incidentId === null ? (
          <Text tone="warning">new</Text>
        ) : (
          <>
            <Link to="/incidents/$incidentId" params={{ incidentId }} look="source">{`#${incidentId}`}</Link>
            {label === null ? null : <Text tone={label === "wrong" ? "warning" : "label"}>{` ${LABEL_WORDS[label].toLowerCase()}`}</Text>}
          </>
        )}
      </Cell>
    </Row>
  );
}

function Missed({ missed }: { readonly missed: readonly BacktestIncident[] }) {
  const fold = useFold(missed, AT_A_GLANCE);
  if (missed.length === 0) return null;
  return (
    <Section plain title="Missed">
      <Table
        label="Incidents that it would have missed"
        density="tight"
        head={
          <>
            <HeadCell>Incident</HeadCell>
            <HeadCell>Run</HeadCell>
            <HeadCell>What</HeadCell>
            <HeadCell>Label</HeadCell>
          </>
        }
      >
        {fold.shown.map(({ incidentId, title, severity, run, label }) => (
          <Row key={incidentId}>
            <Cell>
              <SeverityWord mark={severity}>
                <Link to="/incidents/$incidentId" params={{ incidentId }}>{`#${incidentId}`}</Link>
              </SeverityWord>
            </Cell>
            <Cell maxWidthPx={110} title={run ?? undefined}>
              {run ?? <Text tone="label">fleet</Text>}
            </Cell>
            <Cell maxWidthPx={220} title={title}>
              {title}
            </Cell>
            <Cell>{label === null ? <Text tone="label">{MISSING}</Text> : LABEL_WORDS[label].toLowerCase()}</Cell>
          </Row>
        ))}
      </Table>
      <Inset>
        <Text size="label" tone="label">
          An incident labelled wrong that is missed is a gain.
        </Text>
      </Inset>
      <MoreButton fold={fold} noun="incident" />
    </Section>
  );
}

import { loggedMetricWords, type PostTrainingView, type RunDetail, type TurningPoint } from "@trainwatch/core";
import { Fact, Facts, formatInteger, formatMetric, formatShare, Inset, Section, SeverityWord, Text, UnknownWord } from "@trainwatch/ui";
import { heldOutMeasure } from "../../../checkpoint-parts/held-out-lane.ts";
import { stepsText } from "../../../checkpoint-parts/estimate-lane.ts";
import { useIncidents } from "../../../data/incidents.ts";
import { dataOf } from "../../../data/loaded.ts";
import { ButtonLink, Link } from "../../../routing/link.tsx";
import { incidentOfTurn } from "./incident-of-turn.ts";

/** Where the held-out score turned, how sure that is, and which checkpoint it speaks for. */
export function TurningPointPanel({ run, view }: { readonly run: RunDetail; readonly view: PostTrainingView }) {
  const { turningPoint } = view;
  return (
    <Section title="Turning point" note={turningPoint === null ? undefined : `fitted over ${turningPoint.over === "kl" ? "KL" : "steps"}`}>
      {turningPoint === null ? (
        <Inset>
          <UnknownWord>No turning point can be told</UnknownWord>
          <Text as="p" tone="text">
            {view.why ?? "There is no fit."}
          </Text>
        </Inset>
      ) : (
        <Turn run={run} view={view} turn={turningPoint} />
      )}
    </Section>
  );
}

function Turn({ run, view, turn }: { readonly run: RunDetail; readonly view: PostTrainingView; readonly turn: TurningPoint }) {
  const measure = heldOutMeasure(view);
  const klMetric = view.lanes.find(({ signal }) => signal === "kl")?.metric ?? "kl";
  const words = loggedMetricWords(turn.metric, view.heldOut?.points.map(({ value }) => value) ?? []);
  return (
    <>
      <Inset>
        <SeverityWord mark={turn.turned ? "critical" : "ok"} lit={turn.turned}>
          <Text weight="bold">{turn.turned ? `Turned at step ${formatInteger(turn.peakStep)}` : "No turn so far"}</Text>
        </SeverityWord>
        <Text as="p" tone="text">
          {turn.text}
        </Text>
      </Inset>
      <Facts>
        <Fact name="Score">
          {view.heldOut !== null && view.heldOut.scores > 1
            ? `${measure.title}, 1 of ${formatInteger(view.heldOut.scores)}`
            : measure.title}
        </Fact>
        <Fact name="Fitted peak">{`step ${formatInteger(turn.peakStep)}`}</Fact>
        <Fact name={`${formatShare(turn.confidence, 0).text} % interval`}>{stepsText(turn.lowStep, turn.highStep)}</Fact>
        <Fact name="KL there">
          {turn.peakKl === null ? <UnknownWord>not logged</UnknownWord> : sayQuantity(formatMetric(klMetric, turn.peakKl))}
        </Fact>
        <Fact name="Fallen by">{turn.drop > 0 ? words.within(turn.drop, turn.dropError) : "has not fallen"}</Fact>
        <Fact name="Reward">
          {turn.proxyRises === null ? <UnknownWord>not to be said</UnknownWord> : turn.proxyRises ? "still climbs" : "does not climb"}
        </Fact>
        <Fact name="Checkpoint">
          {turn.checkpoint === null ? (
            <UnknownWord>none at or before the peak</UnknownWord>
          ) : (
            <Link to="/checkpoints/$checkpointId" params={{ checkpointId: turn.checkpoint.checkpointId }}>
              {`step ${formatInteger(turn.checkpoint.step)}, passport`}
            </Link>
          )}
        </Fact>
      </Facts>
      {turn.turned ? <Advice run={run} view={view} turn={turn} /> : null}
    </>
  );
}

const sayQuantity = ({ text, unit }: { readonly text: string; readonly unit: string }): string => (unit === "" ? text : `${text} ${unit}`);

/** The incident of the turn, where its advice waits for a decision. */
function Advice({ run, view, turn }: { readonly run: RunDetail; readonly view: PostTrainingView; readonly turn: TurningPoint }) {
  const incidents = dataOf(useIncidents({ states: [], severities: [], runId: run.id, cursor: null }))?.items ?? [];
  const incident = incidentOfTurn(incidents, view.findings, turn);
  if (incident === null) return null;
  return (
    <Inset>
      {incident.action === null ? null : (
        <Text as="p" tone="text">
          <Text tone="label">Advised when the turn was found: </Text>
          {incident.action.text}
        </Text>
      )}
      <ButtonLink to="/incidents/$incidentId" params={{ incidentId: incident.id }} size="small">
        {incident.action !== null && incident.action.decision === null
          ? `Decide in incident #${incident.id}`
          : `Open incident #${incident.id}`}
      </ButtonLink>
    </Inset>
  );
}

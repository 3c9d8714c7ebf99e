import { sayShare, type Advice, type Finding, type IncidentDetail } from "@trainwatch/core";
import {
  CountedDraws,
  formatCount,
  formatDuration,
  formatGpuHours,
  formatInteger,
  HeadlineCell,
  HeadlineRow,
  SeverityWord,
  Text,
  UnknownWord,
  Value,
  zoneName,
} from "@trainwatch/ui";
import { When } from "../../clock/when.tsx";
import { useZone } from "../../zone/zone.tsx";
import { causeLine } from "../../words/cause-words.ts";
import { shortIds } from "../../words/short-ids.ts";
import { surenessWord } from "../../words/action-words.ts";
import { stillOnWord } from "../../words/incident-words.ts";
import { distinctEvidence } from "./evidence-words.ts";
import { delayWord, shiftWord, spanWord, whatLine, whatWord } from "./headline-words.ts";

interface HeadlineProps {
  readonly incident: IncidentDetail;
  readonly lead: Finding | null;
}

/** The five answers that are read first. */
export function IncidentHeadline({ incident, lead }: HeadlineProps) {
  return (
    <HeadlineRow label="What, since, still on, cost, action">
      <What incident={incident} lead={lead} />
      <Since incident={incident} />
      <StillOn incident={incident} lead={lead} />
      <Cost incident={incident} />
      <SuggestedAction incident={incident} />
    </HeadlineRow>
  );
}

function What({ incident, lead }: HeadlineProps) {
  if (lead === null) return <HeadlineCell label="What" value={incident.title} />;
  const word = whatWord(lead);
  return (
    <HeadlineCell label="What" value={word} title={word}>
      <CauseLine incident={incident} />
      <Text as="p" clip>
        {whatLine(incident.findings, lead, incident.findingCount)}
      </Text>
    </HeadlineCell>
  );
}

/** The likeliest cause in one line; where none is settled, the test that would settle it. */
function CauseLine({ incident: { cause, assessment } }: Pick<HeadlineProps, "incident">) {
  if (cause === null) return null;
  const test = cause.word === "not settled" ? (assessment?.nextTest ?? null) : null;
  const words = test === null ? causeLine(cause) : `not settled: ${test.test}`;
  return (
    <Text as="p" clip weight="medium" tone="value" title={test === null ? words : `${words}. ${causeLine(cause)}`}>
      {`${words.charAt(0).toUpperCase()}${words.slice(1)}`}
    </Text>
  );
}

function Since({ incident }: Pick<HeadlineProps, "incident">) {
  const delay = delayWord(incident);
  return (
    <HeadlineCell
      label="Since"
      value={incident.onsetStep === null ? <When ms={incident.onsetTimeMs} /> : `Step ${formatInteger(incident.onsetStep)}`}
    >
      <p>
        {incident.onsetTimeMs === null ? (
          <>
            no time in the log; opened <When ms={incident.openedAtMs} show="relative" />
          </>
        ) : (
          <SinceTime ms={incident.onsetTimeMs} />
        )}
      </p>
      {delay === null ? null : (
        <p>
          {delay}
          {incident.onsetTimeMs === null || incident.detectedTimeMs === null
            ? null
            : `, ${formatDuration(incident.detectedTimeMs - incident.onsetTimeMs)}`}
        </p>
      )}
    </HeadlineCell>
  );
}

/** "02:58:10 UTC, 16 min ago": the date only where it is another day. */
function SinceTime({ ms }: { readonly ms: number }) {
  const { zone } = useZone();
  return (
    <>
      <When ms={ms} show="moment" /> {zoneName(zone, ms)}, <When ms={ms} show="relative" />
    </>
  );
}

function StillOn({ incident, lead }: HeadlineProps) {
  const shift = lead === null ? null : shiftWord(lead);
  const span = lead === null ? null : spanWord(incident, lead);
  // A run that ended with the fault on is neither lit nor well.
  const mark = incident.ongoing ? incident.severity : incident.findingState === "recovered" ? "ok" : null;
  return (
    <HeadlineCell
      label="Still on?"
      value={mark === null ? stillOnWord(incident) : <SeverityWord mark={mark}>{stillOnWord(incident)}</SeverityWord>}
    >
      {shift === null ? null : <p>{shift}</p>}
      {span === null ? null : <p>{span}</p>}
      {incident.flaps === 0 ? null : <p>{`came back ${formatCount(incident.flaps, "time")}`}</p>}
    </HeadlineCell>
  );
}

function Cost({ incident }: { readonly incident: IncidentDetail }) {
  const { gpuHoursSoFar: soFar, gpuHoursPerHour: rate } = incident;
  if (soFar === null) {
    return (
      <HeadlineCell label="Cost so far" value={<UnknownWord />}>
        {incident.costUnknown}
      </HeadlineCell>
    );
  }
  return (
    <HeadlineCell label="Cost so far" value={<Value quantity={formatGpuHours(soFar)} />}>
      {rate === null ? null : rate === 0 ? (
        "costs nothing further"
      ) : (
        <>
          each further hour costs <Value quantity={formatGpuHours(rate)} />
        </>
      )}
    </HeadlineCell>
  );
}

/** What the share of a proposal is a share of. */
function Belief({ advice: { action, confidence } }: { readonly advice: Pick<Advice, "action" | "confidence"> }) {
  const { share } = confidence;
  if (share === null) return null;
  if (action === "investigate") return <p>{`The likeliest cause has ${sayShare(share)}.`}</p>;
  if (action === "isolate" || action === "replay") return <p>{`Hardware has ${sayShare(share)} as the cause.`}</p>;
  return <CountedDraws share={share} label={`best in ${sayShare(share)} of draws`} />;
}

function SuggestedAction({ incident }: { readonly incident: IncidentDetail }) {
  const { action, advice } = incident;
  if (action === null || advice === null) {
    return (
      <HeadlineCell proposal label="Suggested action" value="No advice yet">
        Advice is made once the finding has settled.
      </HeadlineCell>
    );
  }
  const sureness = surenessWord(advice);
  const evidence = distinctEvidence(incident.findings);
  const count = (weight: "for" | "against"): string => formatInteger(evidence.filter((item) => item.weight === weight).length);
  return (
    <HeadlineCell
      proposal
      label={sureness === null ? "Suggested action" : `Suggested action, ${sureness}`}
      value={shortIds(action.text)}
      title={action.text}
    >
      <p>
        {advice.lostGpuHours === null ? (
          advice.lostSteps === null ? null : (
            `${formatCount(advice.lostSteps, "step")} lost. `
          )
        ) : (
          <>
            <Value quantity={formatGpuHours(advice.lostGpuHours)} /> lost.{" "}
          </>
        )}
        Evidence: {count("for")} for, {count("against")} against
        {action.decision === null ? null : (
          <>
            . <Text tone="accent">{action.decision}</Text>
          </>
        )}
      </p>
      <Belief advice={advice} />
    </HeadlineCell>
  );
}

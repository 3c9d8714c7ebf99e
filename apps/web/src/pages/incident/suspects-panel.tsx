import { saySubject, sayNodeId, sayShare, type IncidentDetail } from "@trainwatch/core";
import {
  Button,
  Cell,
  formatCount,
  formatInteger,
  HeadCell,
  Inset,
  MISSING,
  Row,
  Section,
  ShareBar,
  SeverityShape,
  Table,
  Text,
} from "@trainwatch/ui";
import { useMemo, useState } from "react";
import { MoreButton, useFold } from "../../paging/fold.tsx";
import { ButtonLink } from "../../routing/link.tsx";
import { FleetLink } from "./fleet-link.tsx";
import { suspectsOf, type Suspect } from "./suspects.ts";

const AT_A_GLANCE = 6;
/** As many GPUs as the fleet page compares at once. */
const MAX_COMPARED = 64;

/** What the findings accuse: what began it first, victims of the clearing up only counted. */
export function SuspectsPanel({ incident }: { readonly incident: IncidentDetail }) {
  const { listed, folded } = useMemo(() => suspectsOf(incident.findings, incident.assessment), [incident.findings, incident.assessment]);
  const fold = useFold(listed, AT_A_GLANCE);
  if (listed.length === 0 && folded.length === 0) return null;
  const gpus = [...new Set(listed.flatMap(({ gpuId }) => gpuId ?? []))].slice(0, MAX_COMPARED);
  return (
    <Section
      title="Suspects"
      note="what began it first"
      trailing={
        gpus.length === 0 ? undefined : (
          <ButtonLink
            to="/fleet"
            search={{ bad: gpus, ...(incident.onsetTimeMs === null ? {} : { at: Math.round(incident.onsetTimeMs) }) }}
            size="small"
            kind="quiet"
          >
            What differs about them
          </ButtonLink>
        )
      }
    >
      {listed.length === 0 ? null : (
        <Table
          label="Suspects"
          density="tight"
          head={
            <>
              <HeadCell>What</HeadCell>
              <HeadCell>Where</HeadCell>
              <HeadCell numeric>Rank</HeadCell>
              <HeadCell title="Belief that it is the cause, of all causes weighed">Share</HeadCell>
              <HeadCell wide>Main fact</HeadCell>
            </>
          }
        >
          {fold.shown.map((suspect) => (
            <SuspectRow key={suspect.key} suspect={suspect} />
          ))}
        </Table>
      )}
      <MoreButton fold={fold} noun="suspect" />
      {folded.length === 0 ? null : <Folded suspects={folded} unsent={incident.findingCount - incident.findings.length} />}
    </Section>
  );
}

function SuspectRow({ suspect }: { readonly suspect: Suspect }) {
  const { kind, id, gpuId, nodeId, host, rank, role, share, findings, fact } = suspect;
  const where = host ?? (nodeId === null ? null : sayNodeId(nodeId));
  return (
    <Row>
      <Cell mono title={id}>
        {role === "initiator" ? <SeverityShape mark={findings[0]?.severity ?? "unknown"} label="began it" /> : null}{" "}
        <What suspect={suspect} />
      </Cell>
      <Cell mono maxWidthPx={110} title={where ?? undefined}>
        {where === null ? (
          <Text tone="label">{MISSING}</Text>
        ) : nodeId === null ? (
          where
        ) : (
          <FleetLink kind="node" id={nodeId}>
            {where}
          </FleetLink>
        )}
      </Cell>
      <Cell numeric>{rank === null ? <Text tone="label">{MISSING}</Text> : formatInteger(rank)}</Cell>
      <Cell>
        {share === null ? (
          <Text tone="label">{kind === "gpu" || gpuId !== null ? "not named" : MISSING}</Text>
        ) : (
          <ShareBar share={share} label={sayShare(share)} lit={role === "initiator"} />
        )}
      </Cell>
      <Cell
        wide
        wrap
        title={findings
          .map(({ summary }) => summary)
          .slice(0, 5)
          .join("\n")}
      >
        {fact}
        {findings.length > 1 ? <Text tone="label">{`, ${formatCount(findings.length, "finding")}`}</Text> : null}
      </Cell>
    </Row>
  );
}

function What({ suspect: { kind, id, findings } }: { readonly suspect: Suspect }) {
  const [first] = findings;
  if (kind === "gpu") {
    return (
      <FleetLink kind="gpu" id={id}>
        {id.length > 17 ? `${id.slice(0, 17)}…` : id}
      </FleetLink>
    );
  }
  if (first === undefined) return id;
  const word = saySubject(first);
  return kind === "node" ? (
    <FleetLink kind="node" id={id}>
      {word}
    </FleetLink>
  ) : (
    word
  );
}

/** "400 nodes only tell of the clearing up": nobody needs their rows to act, whoever wants them gets them by pieces. */
function Folded({ suspects, unsent }: { readonly suspects: readonly Suspect[]; readonly unsent: number }) {
  const [isOpen, setOpen] = useState(false);
  const nodes = new Set(suspects.map(({ nodeId, key }) => nodeId ?? key)).size;
  const fold = useFold(suspects, AT_A_GLANCE);
  return (
    <>
      <Inset>
        <Button size="small" kind="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {`${isOpen ? "Hide" : "Show"} ${formatCount(suspects.length, "victim")} on ${formatCount(nodes, "node")}: they only tell of the clearing up`}
        </Button>
        {unsent <= 0 ? null : <Text tone="label">{`and ${formatCount(unsent, "more finding")} that the page does not ask for`}</Text>}
      </Inset>
      {isOpen ? (
        <>
          <Table
            label="Victims"
            density="tight"
            head={
              <>
                <HeadCell>What</HeadCell>
                <HeadCell>Where</HeadCell>
                <HeadCell numeric>Rank</HeadCell>
                <HeadCell>Share</HeadCell>
                <HeadCell wide>Main fact</HeadCell>
              </>
            }
          >
            {fold.shown.map((suspect) => (
              <SuspectRow key={suspect.key} suspect={suspect} />
            ))}
          </Table>
          <MoreButton fold={fold} noun="victim" />
        </>
      ) : null}
    </>
  );
}

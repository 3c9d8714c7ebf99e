import { rolesOf, type Finding, type FindingRole, type IncidentDetail } from "@trainwatch/core";
import { Cell, formatCount, formatInteger, HeadCell, metricTitle, MISSING, Row, Section, SeverityWord, Table, Text } from "@trainwatch/ui";
import { useMemo } from "react";
import { When } from "../../clock/when.tsx";
import { MoreButton, useFold } from "../../paging/fold.tsx";
import { Link } from "../../routing/link.tsx";

const AT_A_GLANCE = 8;

const ROLE_WORDS = { initiator: "began it", cascade: "", teardown: "clearing up", note: "note" } as const satisfies Record<
  FindingRole,
  string
>;

/** The findings folded into this incident, what began it first. */
export function FindingsPanel({ incident }: { readonly incident: IncidentDetail }) {
  const roles = useMemo(() => rolesOf({ findings: incident.findings }), [incident.findings]);
  const ordered = useMemo(() => inRoles(incident.findings, roles), [incident.findings, roles]);
  const fold = useFold(ordered, AT_A_GLANCE);
  return (
    <Section
      title="Findings"
      note={foldedWord(incident)}
      trailing={
        incident.runId === null ? undefined : (
          <Link to="/runs/$runId" params={{ runId: incident.runId }}>
            All of this run
          </Link>
        )
      }
    >
      <Table
        label="Findings of this incident"
        density="tight"
        head={
          <>
            <HeadCell>Severity</HeadCell>
            <HeadCell>Metric</HeadCell>
            <HeadCell numeric>Onset</HeadCell>
            <HeadCell wide numeric>
              Known
            </HeadCell>
            <HeadCell>State</HeadCell>
          </>
        }
      >
        {fold.shown.map((finding) => (
          <FindingRow key={finding.id} finding={finding} role={roles.get(finding.id) ?? "note"} />
        ))}
      </Table>
      <MoreButton fold={fold} noun="finding" />
    </Section>
  );
}

/** How many there are, also where only the first of them came along. */
function foldedWord({ findingCount, findings }: IncidentDetail): string {
  const all = Math.max(findingCount, findings.length);
  const shown = all > findings.length ? `, ${formatInteger(findings.length)} of them here` : "";
  return `${formatCount(all, "finding")}, folded into one incident${shown}`;
}

/** The initiator first, victims of the clearing up last; within a role as they became known. */
function inRoles(findings: readonly Finding[], roles: ReadonlyMap<string, FindingRole>): readonly Finding[] {
  const order: readonly FindingRole[] = ["initiator", "cascade", "note", "teardown"];
  const place = ({ id }: Finding): number => order.indexOf(roles.get(id) ?? "note");
  return findings.toSorted(
    (a, b) => place(a) - place(b) || (a.detectedTimeMs ?? a.detectedStep ?? 0) - (b.detectedTimeMs ?? b.detectedStep ?? 0),
  );
}

function FindingRow({ finding, role }: { readonly finding: Finding; readonly role: FindingRole }) {
  const word = ROLE_WORDS[role];
  return (
    <Row muted={role === "teardown"}>
      <Cell title={finding.summary}>
        <SeverityWord mark={finding.severity} />
      </Cell>
      <Cell maxWidthPx={190} title={finding.summary}>
        {metricTitle(finding.metric)}
        {word === "" ? null : <Text tone="label">{` · ${word}`}</Text>}
      </Cell>
      <Cell numeric>
        <At step={finding.onsetStep} ms={finding.onsetTimeMs} />
      </Cell>
      <Cell wide numeric>
        <At step={finding.detectedStep} ms={finding.detectedTimeMs} />
      </Cell>
      <Cell>{finding.state}</Cell>
    </Row>
  );
}

/** Its step, or its time where it is no matter of steps. */
function At({ step, ms }: { readonly step: number | null; readonly ms: number | null }) {
  if (step !== null) return formatInteger(step);
  return ms === null ? <Text tone="label">{MISSING}</Text> : <When ms={ms} show="moment" />;
}

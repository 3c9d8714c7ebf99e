import type { IncidentDetail } from "@trainwatch/core";
import { Cell, formatInteger, HeadCell, metricTitle, Row, Section, SeverityWord, Table } from "@trainwatch/ui";
import { Link } from "../../routing/link.tsx";

/** The findings folded into this incident. */
export function FindingsPanel({ incident }: { readonly incident: IncidentDetail }) {
  return (
    <Section
      title="Findings"
      note="folded into one incident"
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
        {incident.findings.map((finding) => (
          <Row key={finding.id}>
            <Cell title={finding.summary}>
              <SeverityWord mark={finding.severity} />
            </Cell>
            <Cell maxWidthPx={160}>{metricTitle(finding.metric)}</Cell>
            <Cell numeric>{formatInteger(finding.onsetStep)}</Cell>
            <Cell wide numeric>
              {formatInteger(finding.detectedStep)}
            </Cell>
            <Cell>{finding.state}</Cell>
          </Row>
        ))}
      </Table>
    </Section>
  );
}

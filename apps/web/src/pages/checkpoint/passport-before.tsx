import type { Passport } from "@trainwatch/core";
import { Cell, formatInteger, HeadCell, Inset, MARK_WORDS, MISSING, Row, Section, SeverityShape, Table, Text } from "@trainwatch/ui";
import { MoreButton, useFold } from "../../paging/fold.tsx";
import { Link } from "../../routing/link.tsx";

const AT_A_GLANCE = 7;

/** The marks of the lineage in words: each incident that began before these weights were saved, and how it ended. */
export function PassportBefore({ passport: { events, eventTotal } }: { readonly passport: Passport }) {
  const newestFirst = [...events].sort((a, b) => (b.step ?? -1) - (a.step ?? -1));
  const fold = useFold(newestFirst, AT_A_GLANCE);
  const left = eventTotal - events.length;
  return (
    <Section
      title="Incidents before it"
      note={left > 0 ? `the worst ${formatInteger(events.length)} of ${formatInteger(eventTotal)}` : "in what these weights have seen"}
    >
      {newestFirst.length === 0 ? (
        <Inset>
          <Text tone="label">No incident was opened before it. That is no proof of health: the verdicts above say who looked.</Text>
        </Inset>
      ) : (
        <Table
          label="Incidents before it"
          density="tight"
          head={
            <>
              <HeadCell numeric>Step</HeadCell>
              <HeadCell>Incident</HeadCell>
              <HeadCell>How it stands</HeadCell>
            </>
          }
        >
          {fold.shown.map((event) => (
            <Row key={event.incidentId}>
              <Cell numeric>{event.step === null ? MISSING : formatInteger(event.step)}</Cell>
              <Cell maxWidthPx={240} title={event.title}>
                <SeverityShape mark={event.severity} label={MARK_WORDS[event.severity]} />{" "}
                <Link to="/incidents/$incidentId" params={{ incidentId: event.incidentId }} look="plain">
                  {event.title}
                </Link>
              </Cell>
              <Cell>{event.outcome}</Cell>
            </Row>
          ))}
        </Table>
      )}
      <MoreButton fold={fold} noun="incident" />
    </Section>
  );
}

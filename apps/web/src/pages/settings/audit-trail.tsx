import { getRouteApi } from "@tanstack/react-router";
import type { AuditEntry } from "@trainwatch/core";
import { Button, Cell, EmptyState, HeadCell, Inset, Row, Section, SkeletonRows, Table, Text, zoneName } from "@trainwatch/ui";
import { useNow } from "../../clock/now.tsx";
import { When } from "../../clock/when.tsx";
import { useAudit } from "../../data/settings.ts";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { useZone } from "../../zone/zone.tsx";
import { detailWords } from "./detail-words.ts";

const route = getRouteApi("/settings");

/** Who did what, when, with what reason; newest first. */
export function AuditTrail() {
  const { cursor } = route.useSearch();
  const navigate = route.useNavigate();
  const nowMs = useNow();
  const { zone } = useZone();
  const audit = useAudit(cursor ?? null);
  return (
    <Section title="Audit trail" note={`newest first; nothing is taken out of it; times in ${zoneName(zone, nowMs)}`}>
      <LoadedView loaded={audit} what="The audit trail" skeleton={<SkeletonRows label="audit entries" rows={10} />}>
        {(page) =>
          page.items.length === 0 ? (
            <EmptyState title="Nothing has been done yet">
              Each acknowledgement, decision, token and deletion is written here with its actor.
            </EmptyState>
          ) : (
            <>
              <Table
                label="Audit trail"
                head={
                  <>
                    <HeadCell>When</HeadCell>
                    <HeadCell>Actor</HeadCell>
                    <HeadCell>Verb</HeadCell>
                    <HeadCell wide>On</HeadCell>
                    <HeadCell wide>With</HeadCell>
                  </>
                }
              >
                {page.items.map((entry) => (
                  <AuditRow key={entry.id} entry={entry} />
                ))}
              </Table>
              <Inset foot>
                {cursor === undefined ? null : (
                  <Button size="small" onClick={() => void navigate({ search: { tab: "audit" } })}>
                    Newest
                  </Button>
                )}
                {page.next === null ? null : (
                  <Button size="small" onClick={() => page.next !== null && void navigate({ search: { tab: "audit", cursor: page.next } })}>
                    Older
                  </Button>
                )}
              </Inset>
            </>
          )
        }
      </LoadedView>
    </Section>
  );
}

function AuditRow({ entry }: { readonly entry: AuditEntry }) {
  const words = detailWords(entry.details);
  return (
    <Row>
      <Cell>
        <When ms={entry.atMs} show="moment" />
      </Cell>
      <Cell bold>{entry.actor}</Cell>
      <Cell mono>{entry.verb}</Cell>
      <Cell mono wide>
        {entry.target}
      </Cell>
      <Cell wide wrap>
        <Text tone="text">{words === "" ? "–" : words}</Text>
      </Cell>
    </Row>
  );
}

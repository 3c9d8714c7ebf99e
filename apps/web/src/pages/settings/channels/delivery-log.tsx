import { getRouteApi } from "@tanstack/react-router";
import type { NoticeReason, NoticeState, NoticeView, StoredChannel } from "@trainwatch/core";
import {
  Button,
  Cell,
  EmptyState,
  formatCount,
  HeadCell,
  Inset,
  Row,
  Section,
  Select,
  SeverityWord,
  SkeletonRows,
  Table,
  Text,
  zoneName,
  type Mark,
} from "@trainwatch/ui";
import { useNow } from "../../../clock/now.tsx";
import { When } from "../../../clock/when.tsx";
import { useNotices } from "../../../data/channels.ts";
import { LoadedView } from "../../../loaded-view/loaded-view.tsx";
import { Link } from "../../../routing/link.tsx";
import { useZone } from "../../../zone/zone.tsx";

const route = getRouteApi("/settings");

const STATE_MARKS = { waiting: "pending", delivered: "ok", failed: "warning", muted: "unknown" } as const satisfies Record<
  NoticeState,
  Mark
>;
const STATE_WORDS = { waiting: "waiting", delivered: "delivered", failed: "failed", muted: "muted" } as const satisfies Record<
  NoticeState,
  string
>;
const REASON_WORDS = {
  opened: "opened",
  escalated: "got worse",
  reopened: "came back",
  over: "is over",
  resolved: "resolved",
  merged: "several are one",
} as const satisfies Record<NoticeReason, string>;

const ANY = "";

/** What was told to whom, newest first, with every try. */
export function DeliveryLog({ channels }: { readonly channels: readonly StoredChannel[] }) {
  const { channel, cursor } = route.useSearch();
  const navigate = route.useNavigate();
  const nowMs = useNow();
  const { zone } = useZone();
  const notices = useNotices(channel ?? null, cursor ?? null);
  const options = [{ value: ANY, label: "all" }, ...channels.map(({ id, channel: { name } }) => ({ value: String(id), label: name }))];
  return (
    <Section
      title="Delivery log"
      note={`newest first, times in ${zoneName(zone, nowMs)}`}
      trailing={
        <Select
          label="Channel of the log"
          prefix="Channel:"
          value={options.some(({ value }) => value === String(channel)) ? String(channel) : ANY}
          options={options}
          onChange={(next) =>
            void navigate({
              search: ({ channel: _channel, cursor: _cursor, ...rest }) => (next === ANY ? rest : { ...rest, channel: Number(next) }),
            })
          }
        />
      }
    >
      <LoadedView loaded={notices} what="The delivery log" skeleton={<SkeletonRows label="deliveries" rows={5} />}>
        {(page) =>
          page.items.length === 0 ? (
            <EmptyState title="Nothing has been told yet">
              A notice is written when an incident opens, gets worse, comes back or is over.
            </EmptyState>
          ) : (
            <>
              <Table
                label="Delivery log"
                head={
                  <>
                    <HeadCell>When</HeadCell>
                    <HeadCell>Incident</HeadCell>
                    <HeadCell>Because it</HeadCell>
                    <HeadCell>To</HeadCell>
                    <HeadCell>State</HeadCell>
                    <HeadCell wide>Tries</HeadCell>
                  </>
                }
              >
                {page.items.map((notice) => (
                  <NoticeRow key={notice.id} notice={notice} />
                ))}
              </Table>
              <Inset foot>
                {cursor === undefined ? null : (
                  <Button size="small" onClick={() => void navigate({ search: ({ cursor: _cursor, ...rest }) => rest })}>
                    Newest
                  </Button>
                )}
                {page.next === null ? null : (
                  <Button
                    size="small"
                    onClick={() => void navigate({ search: (before) => (page.next === null ? before : { ...before, cursor: page.next }) })}
                  >
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

function NoticeRow({ notice }: { readonly notice: NoticeView }) {
  const { incidentId, body, reason, channel, state, createdAtMs, deliveries } = notice;
  const last = deliveries.at(-1);
  return (
    <Row>
      <Cell>
        <When ms={createdAtMs} show="moment" />
      </Cell>
      <Cell maxWidthPx={380} title={body.title}>
        <Link to="/incidents/$incidentId" params={{ incidentId }} look="plain">{`#${incidentId} ${body.title}`}</Link>
      </Cell>
      <Cell>{REASON_WORDS[reason]}</Cell>
      <Cell>{channel}</Cell>
      <Cell>
        <SeverityWord mark={STATE_MARKS[state]}>{STATE_WORDS[state]}</SeverityWord>
      </Cell>
      <Cell wide maxWidthPx={300} title={deliveries.map(({ status, message }) => `${status ?? "no answer"} ${message}`).join("\n")}>
        {last === undefined ? (
          <Text tone="label">none so far</Text>
        ) : (
          <>
            {formatCount(deliveries.length, "try", "tries")}, <When ms={last.atMs} show="moment" />
            <Text tone="label">{`, ${last.status === null ? "no answer" : `status ${last.status}`}${last.ok ? "" : `: ${last.message}`}`}</Text>
          </>
        )}
      </Cell>
    </Row>
  );
}

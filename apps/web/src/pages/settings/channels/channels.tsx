import type { ChannelHealth, ChannelTest, StoredChannel } from "@trainwatch/core";
import {
  Button,
  Cell,
  EmptyState,
  formatCount,
  HeadCell,
  Notice,
  Row,
  Rule,
  Section,
  SeverityWord,
  SkeletonRows,
  Table,
  Text,
} from "@trainwatch/ui";
import { useState } from "react";
import { When } from "../../../clock/when.tsx";
import { useChannelHealth, useChannels, useChannelVerbs } from "../../../data/channels.ts";
import { dataOf } from "../../../data/loaded.ts";
import { LoadedView } from "../../../loaded-view/loaded-view.tsx";
import { scopeWord } from "../../../rule-scope/scope-words.ts";
import { DeleteDialog } from "../delete-dialog.tsx";
import { useEditing } from "../use-editing.ts";
import { ChannelDialog } from "./channel-dialog.tsx";
import { DeliveryLog } from "./delivery-log.tsx";

/** Where notices go, how that goes, and what was told to whom. */
export function Channels() {
  const channels = useChannels();
  const { edit, open, close } = useEditing("channels");
  const health = dataOf(useChannelHealth());
  const [deleting, setDeleting] = useState<StoredChannel | null>(null);
  const [tested, setTested] = useState<{ readonly name: string; readonly answer: ChannelTest } | null>(null);
  const { remove, test } = useChannelVerbs();
  const tryOut = ({ id, channel }: StoredChannel): void =>
    test.send({ channelId: id }, (answer) => setTested({ name: channel.name, answer }));
  return (
    <>
      <Section
        title="Channels"
        note="who is told of an incident; at most three notices of one, unless it gets worse"
        trailing={
          <Button size="small" onClick={() => open("new")}>
            New channel…
          </Button>
        }
      >
        {tested === null ? null : <TestAnswer {...tested} />}
        {test.failure === null ? null : (
          <Notice mark="warning" lit>
            {test.failure.message}
          </Notice>
        )}
        <LoadedView loaded={channels} what="The channels" skeleton={<SkeletonRows label="channels" rows={3} heightPx={52} />}>
          {(list) => (
            <>
              {list.length === 0 ? (
                <EmptyState title="Nobody is told">
                  Incidents open, and whoever looks sees them. A channel tells a Slack room, or any address that takes our signed JSON.
                </EmptyState>
              ) : (
                <ChannelTable
                  list={list}
                  health={health ?? []}
                  isTesting={test.isSending}
                  onTest={tryOut}
                  onEdit={(id) => open(String(id))}
                  onDelete={setDeleting}
                />
              )}
              {edit === undefined ? null : (
                <ChannelDialog key={edit} stored={list.find(({ id }) => String(id) === edit) ?? null} onClose={close} />
              )}
            </>
          )}
        </LoadedView>
      </Section>
      <Rule />
      <DeliveryLog channels={dataOf(channels) ?? []} />
      {deleting === null ? null : (
        <DeleteDialog
          title={`Delete the channel “${deleting.channel.name}”?`}
          consequence="Nothing goes there any more, also what still waits, and its delivery log goes with it. To keep the log, turn it off instead."
          isSending={remove.isSending}
          failure={remove.failure}
          onDelete={() => remove.send({ channelId: deleting.id }, () => setDeleting(null))}
          onClose={() => setDeleting(null)}
        />
      )}
    </>
  );
}

function TestAnswer({ name, answer }: { readonly name: string; readonly answer: ChannelTest }) {
  const status = answer.status === null ? "no answer" : `status ${answer.status}`;
  return (
    <Notice mark={answer.ok ? "info" : "warning"} lit={!answer.ok}>
      {answer.ok
        ? `Test message delivered to ${name}: ${status} in ${answer.tookMs} ms.`
        : `Test message not delivered to ${name}: ${status}. ${answer.message}`}
    </Notice>
  );
}

interface ChannelTableProps {
  readonly list: readonly StoredChannel[];
  readonly health: readonly ChannelHealth[];
  readonly isTesting: boolean;
  readonly onTest: (channel: StoredChannel) => void;
  readonly onEdit: (id: number) => void;
  readonly onDelete: (channel: StoredChannel) => void;
}

function ChannelTable({ list, health, isTesting, onTest, onEdit, onDelete }: ChannelTableProps) {
  return (
    <Table
      label="Channels"
      head={
        <>
          <HeadCell>Channel</HeadCell>
          <HeadCell>Is told</HeadCell>
          <HeadCell wide>For</HeadCell>
          <HeadCell>State</HeadCell>
          <HeadCell wide>Last delivered</HeadCell>
          <HeadCell numeric>Change</HeadCell>
        </>
      }
    >
      {list.map((stored) => {
        const { id, channel, hasSecret } = stored;
        const own = health.find(({ channelId }) => channelId === id);
        return (
          <Row key={id} muted={!channel.enabled}>
            <Cell bold sub={<Text mono>{channel.url}</Text>} maxWidthPx={320} title={channel.url}>
              {channel.name}
            </Cell>
            <Cell sub={channel.kind === "slack" ? "Slack" : hasSecret ? "webhook, signed" : "webhook, not signed"}>
              {channel.minSeverity === "critical" ? "pages only" : "pages and tickets"}
            </Cell>
            <Cell wide>{scopeWord(channel.scope)}</Cell>
            <Cell wrap>
              <ChannelState enabled={channel.enabled} health={own} />
            </Cell>
            <Cell wide>
              {own === undefined || own.lastDeliveredAtMs === null ? (
                <Text tone="label">never</Text>
              ) : (
                <When ms={own.lastDeliveredAtMs} show="relative" />
              )}
            </Cell>
            <Cell numeric>
              <Button size="small" disabled={isTesting} aria-label={`Test ${channel.name}`} onClick={() => onTest(stored)}>
                Test
              </Button>
              <Button kind="quiet" size="small" aria-label={`Change ${channel.name}…`} onClick={() => onEdit(id)}>
                Change…
              </Button>
              <Button kind="quiet" size="small" aria-label={`Delete ${channel.name}…`} onClick={() => onDelete(stored)}>
                Delete…
              </Button>
            </Cell>
          </Row>
        );
      })}
    </Table>
  );
}

/** A failure since the last success comes first: somebody relies on this. */
function ChannelState({ enabled, health }: { readonly enabled: boolean; readonly health: ChannelHealth | undefined }) {
  if (!enabled) return "off";
  if (health === undefined) return <Text tone="label">not known</Text>;
  const waits = health.waiting === 0 ? null : `${formatCount(health.waiting, "notice")} waiting`;
  if (health.lastFailure !== null) {
    const { message, atMs } = health.lastFailure;
    return (
      <>
        <SeverityWord mark="warning" lit>
          failing since <When ms={atMs} show="moment" />
        </SeverityWord>
        <Text as="p" size="label" tone="label">
          {[message, waits].filter((part) => part !== null && part !== "").join("; ")}
        </Text>
      </>
    );
  }
  return (
    waits ??
    (health.lastDeliveredAtMs === null ? <Text tone="label">nothing told yet</Text> : <SeverityWord mark="ok">delivers</SeverityWord>)
  );
}

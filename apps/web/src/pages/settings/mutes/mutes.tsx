import { muteWindows, type StoredMute } from "@trainwatch/core";
import { Button, Cell, EmptyState, HeadCell, Inset, Row, Section, SeverityWord, SkeletonRows, Table, Text } from "@trainwatch/ui";
import { useState } from "react";
import { useNow } from "../../../clock/now.tsx";
import { When } from "../../../clock/when.tsx";
import { useMutes, useMuteVerbs } from "../../../data/rules.ts";
import { LoadedView } from "../../../loaded-view/loaded-view.tsx";
import { scopeWord } from "../../../rule-scope/scope-words.ts";
import { DeleteDialog } from "../delete-dialog.tsx";
import { useEditing } from "../use-editing.ts";
import { MuteDialog } from "./mute-dialog.tsx";
import { muteEnds, muteWhen } from "./mute-words.ts";

/** When nobody is told. Findings and incidents are made all the same. */
export function Mutes() {
  const mutes = useMutes();
  const { edit, open, close } = useEditing("mutes");
  const [deleting, setDeleting] = useState<StoredMute | null>(null);
  const { remove } = useMuteVerbs();
  return (
    <Section
      title="Mute calendars"
      note="when nobody is told; incidents open all the same"
      trailing={
        <Button size="small" onClick={() => open("new")}>
          New calendar…
        </Button>
      }
    >
      <LoadedView loaded={mutes} what="The mute calendars" skeleton={<SkeletonRows label="mute calendars" rows={4} />}>
        {(list) => (
          <>
            {list.length === 0 ? (
              <EmptyState title="Nothing is muted">
                A calendar keeps notices back in its hours, and tells them at its end where they still hold.
              </EmptyState>
            ) : (
              <MuteTable list={list} onEdit={(id) => open(String(id))} onDelete={setDeleting} />
            )}
            {edit === undefined ? null : (
              <MuteDialog key={edit} stored={list.find(({ id }) => String(id) === edit) ?? null} onClose={close} />
            )}
          </>
        )}
      </LoadedView>
      {deleting === null ? null : (
        <DeleteDialog
          title={`Delete the calendar “${deleting.mute.name}”?`}
          consequence="What it keeps back and still goes on is told within a minute."
          isSending={remove.isSending}
          failure={remove.failure}
          onDelete={() => remove.send({ muteId: deleting.id }, () => setDeleting(null))}
          onClose={() => setDeleting(null)}
        />
      )}
      <Inset>
        <Text size="label" tone="label">
          Hours and days are those of the calendar's own zone, through daylight saving. An incident in which any other detector speaks is
          told all the same.
        </Text>
      </Inset>
    </Section>
  );
}

interface MuteTableProps {
  readonly list: readonly StoredMute[];
  readonly onEdit: (id: number) => void;
  readonly onDelete: (mute: StoredMute) => void;
}

function MuteTable({ list, onEdit, onDelete }: MuteTableProps) {
  return (
    <Table
      label="Mute calendars"
      head={
        <>
          <HeadCell>Name</HeadCell>
          <HeadCell>When</HeadCell>
          <HeadCell wide>Mutes</HeadCell>
          <HeadCell wide>For</HeadCell>
          <HeadCell>Now</HeadCell>
          <HeadCell numeric>Change</HeadCell>
        </>
      }
    >
      {list.map((stored) => (
        <MuteRow key={stored.id} stored={stored} onEdit={() => onEdit(stored.id)} onDelete={() => onDelete(stored)} />
      ))}
    </Table>
  );
}

function MuteRow({
  stored,
  onEdit,
  onDelete,
}: {
  readonly stored: StoredMute;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}) {
  const nowMs = useNow();
  const { mute } = stored;
  const [next] = muteWindows(mute, nowMs, 1);
  const ends = muteEnds(mute, nowMs);
  return (
    <Row muted={next === undefined}>
      <Cell bold maxWidthPx={200} title={mute.name}>
        {mute.name}
      </Cell>
      <Cell wrap>
        {muteWhen(mute)}
        {ends === null ? null : <Text tone="label">{`, ${ends}`}</Text>}
      </Cell>
      <Cell wide maxWidthPx={220} title={mute.detectors.join(", ")}>
        {mute.upTo === "warning" ? "tickets" : "tickets and pages"}
        {mute.detectors.length === 0 ? "" : ` of ${mute.detectors.join(", ")}`}
      </Cell>
      <Cell wide>{scopeWord(mute.scope)}</Cell>
      <Cell>
        {next === undefined ? (
          "over"
        ) : next.fromMs <= nowMs ? (
          <SeverityWord mark="warning">
            mutes until <When ms={next.toMs} show="moment" />
          </SeverityWord>
        ) : (
          <>
            next <When ms={next.fromMs} show="moment" />
          </>
        )}
      </Cell>
      <Cell numeric>
        <Button kind="quiet" size="small" aria-label={`Change ${mute.name}…`} onClick={onEdit}>
          Change…
        </Button>
        <Button kind="quiet" size="small" aria-label={`Delete ${mute.name}…`} onClick={onDelete}>
          Delete…
        </Button>
      </Cell>
    </Row>
  );
}

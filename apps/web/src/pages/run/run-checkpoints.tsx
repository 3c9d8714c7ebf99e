import type { Checkpoint, RunDetail } from "@trainwatch/core";
import { Cell, formatInteger, HeadCell, Inset, MISSING, Row, SeverityWord, Table, Text } from "@trainwatch/ui";
import { When } from "../../clock/when.tsx";
import { LeftOut } from "../../paging/left-out.tsx";
import { Link } from "../../routing/link.tsx";
import { CHECKPOINT_WORDS } from "../../words/checkpoint-words.ts";

/** Saved weights of the run, newest first. */
export function RunCheckpoints({ run }: { readonly run: RunDetail }) {
  const newestFirst = [...run.checkpoints].sort((a, b) => b.step - a.step || (a.attempt < b.attempt ? 1 : -1));
  return (
    <>
      <Table
        label="Checkpoints"
        head={
          <>
            <HeadCell numeric>Step</HeadCell>
            <HeadCell>Attempt</HeadCell>
            <HeadCell>State</HeadCell>
            <HeadCell>Saved</HeadCell>
            <HeadCell wide>Kind</HeadCell>
            <HeadCell wide>Path</HeadCell>
          </>
        }
      >
        {newestFirst.map((checkpoint) => (
          <CheckpointRow key={`${checkpoint.attempt}-${checkpoint.step}-${checkpoint.kind}`} checkpoint={checkpoint} />
        ))}
      </Table>
      <LeftOut shown={run.checkpoints.length} total={run.checkpointTotal} noun="checkpoint" />
      <Inset>
        <Link to="/checkpoints" search={{ run: run.id }}>
          Open them in the registry, each with its passport
        </Link>
        {" · "}
        <Link to="/releases/trends" search={{ run: run.id }}>
          Trends of their evaluations
        </Link>
      </Inset>
    </>
  );
}

function CheckpointRow({ checkpoint }: { readonly checkpoint: Checkpoint }) {
  const { mark, word } = CHECKPOINT_WORDS[checkpoint.state];
  return (
    <Row>
      <Cell numeric bold>
        {formatInteger(checkpoint.step)}
      </Cell>
      <Cell>{checkpoint.attempt}</Cell>
      <Cell>
        <SeverityWord mark={mark}>{checkpoint.reason === null ? word : `${word}: ${checkpoint.reason}`}</SeverityWord>
      </Cell>
      <Cell>
        <When ms={checkpoint.savedAtMs} show="absolute" />
      </Cell>
      <Cell wide>{checkpoint.kind}</Cell>
      <Cell wide maxWidthPx={420} title={checkpoint.path ?? undefined}>
        {checkpoint.path === null ? <Text tone="label">{MISSING}</Text> : <Text mono>{checkpoint.path}</Text>}
      </Cell>
    </Row>
  );
}

import type { RunDetail } from "@trainwatch/core";
import { Cell, formatInteger, HeadCell, Row, Table } from "@trainwatch/ui";
import { When } from "../../clock/when.tsx";
import { LeftOut } from "../../paging/left-out.tsx";

/** What happened to the run besides its samples, newest first. */
export function RunEvents({ run }: { readonly run: RunDetail }) {
  const newestFirst = run.notes.map((note, index) => ({ ...note, index })).reverse();
  return (
    <>
      <Table
        label="Events"
        head={
          <>
            <HeadCell numeric>Step</HeadCell>
            <HeadCell>Time</HeadCell>
            <HeadCell>Attempt</HeadCell>
            <HeadCell wide>Kind</HeadCell>
            <HeadCell>What</HeadCell>
          </>
        }
      >
        {newestFirst.map((note) => (
          <Row key={note.index}>
            <Cell numeric>{formatInteger(note.step)}</Cell>
            <Cell>
              <When ms={note.timeMs} show="absolute" />
            </Cell>
            <Cell>{note.attempt}</Cell>
            <Cell wide>{note.kind}</Cell>
            <Cell wrap>{note.text}</Cell>
          </Row>
        ))}
      </Table>
      <LeftOut shown={run.notes.length} total={run.noteTotal} noun="event" />
    </>
  );
}

import type { Advice } from "@trainwatch/core";
import { Cell, EmptyState, formatGpuHours, formatInteger, HeadCell, Row, Table } from "@trainwatch/ui";
import { ACTION_WORDS } from "../../words/action-words.ts";

/** What else was weighed, cheapest first, and why it is not proposed. */
export function OtherActions({ actions }: { readonly actions: Advice["alternatives"] }) {
  if (actions.length === 0) return <EmptyState title="No other action was weighed" />;
  return (
    <Table
      label="Other actions"
      density="tight"
      head={
        <>
          <HeadCell>Action</HeadCell>
          <HeadCell numeric>Checkpoint</HeadCell>
          <HeadCell wide numeric title="Expected, over all draws">
            Steps
          </HeadCell>
          <HeadCell numeric title="Expected, over all draws">
            GPU-h
          </HeadCell>
          <HeadCell>Why not</HeadCell>
        </>
      }
    >
      {actions.map((action) => (
        <Row key={`${action.action}-${action.checkpointStep ?? ""}`}>
          <Cell bold>{ACTION_WORDS[action.action]}</Cell>
          <Cell numeric>{formatInteger(action.checkpointStep)}</Cell>
          <Cell wide numeric>
            {formatInteger(action.expectedSteps)}
          </Cell>
          <Cell numeric>{formatGpuHours(action.expectedGpuHours).text}</Cell>
          <Cell wrap>{action.why}</Cell>
        </Row>
      ))}
    </Table>
  );
}

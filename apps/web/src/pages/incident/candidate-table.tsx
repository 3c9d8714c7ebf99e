import type { CheckpointState } from "@trainwatch/core";
import { Cell, Chip, formatGpuHours, formatInteger, HeadCell, Row, SeverityWord, Table, Text, type Mark } from "@trainwatch/ui";
import { When } from "../../clock/when.tsx";
import type { Candidate } from "./candidates.ts";

const STATE_MARK = { verified: "ok", unchecked: "pending", incomplete: "refused" } as const satisfies Record<CheckpointState, Mark>;
/** Columns that a refused row's reason spreads over. */
const REASON_SPAN = 6;

export function CandidateTable({ candidates }: { readonly candidates: readonly Candidate[] }) {
  return (
    <Table
      label="Checkpoints to go back to"
      density="tight"
      head={
        <>
          <HeadCell>Step</HeadCell>
          <HeadCell wide>Saved</HeadCell>
          <HeadCell>State</HeadCell>
          <HeadCell wide>Because</HeadCell>
          <HeadCell numeric title="Steps between the checkpoint and the onset">
            Before onset
          </HeadCell>
          <HeadCell wide numeric title="Steps that going back throws away">
            Steps lost
          </HeadCell>
          <HeadCell numeric title="GPU-hours of those steps">
            GPU-h
          </HeadCell>
          <HeadCell wide>Advice</HeadCell>
        </>
      }
    >
      {candidates.map((candidate) =>
        candidate.refused ? (
          <RefusedRow key={candidate.step} candidate={candidate} />
        ) : (
          <UsableRow key={candidate.step} candidate={candidate} />
        ),
      )}
    </Table>
  );
}

function RefusedRow({ candidate }: { readonly candidate: Candidate }) {
  const why = candidate.why ?? (candidate.state === "incomplete" ? (candidate.reason ?? "not complete") : "saved after the onset began");
  return (
    <Row muted>
      <Cell>{formatInteger(candidate.step)}</Cell>
      <Cell wide>
        <When ms={candidate.savedAtMs} show="moment" />
      </Cell>
      <Cell span={REASON_SPAN} wrap>
        <SeverityWord mark="refused">{`Refused, ${why}`}</SeverityWord>
      </Cell>
    </Row>
  );
}

function UsableRow({ candidate }: { readonly candidate: Candidate }) {
  return (
    <Row selected={candidate.suggested}>
      <Cell bold>{formatInteger(candidate.step)}</Cell>
      <Cell wide>
        <When ms={candidate.savedAtMs} show="moment" />
      </Cell>
      <Cell>
        <SeverityWord mark={STATE_MARK[candidate.state]}>{candidate.state}</SeverityWord>
      </Cell>
      <Cell wide maxWidthPx={160} title={candidate.reason ?? undefined}>
        {candidate.reason ?? <Text tone="label">–</Text>}
      </Cell>
      <Cell numeric>{formatInteger(candidate.beforeOnset)}</Cell>
      <Cell wide numeric>
        {formatInteger(candidate.lostSteps)}
      </Cell>
      <Cell numeric bold>
        {formatGpuHours(candidate.lostGpuHours).text}
      </Cell>
      <Cell wide maxWidthPx={240} title={candidate.why ?? undefined}>
        {candidate.suggested ? <Chip tone="accent">suggested</Chip> : <Text tone="label">{candidate.why ?? ""}</Text>}
      </Cell>
    </Row>
  );
}

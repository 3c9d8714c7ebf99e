import type { GateCell, GateView, ReleaseColumn, ReleaseDetail } from "@trainwatch/core";
import {
  Button,
  Cell,
  DoubtItem,
  DoubtList,
  HeadCell,
  Inline,
  Inset,
  Row,
  Section,
  SeverityShape,
  Table,
  Text,
  type Mark,
} from "@trainwatch/ui";
import { useState } from "react";
import { When } from "../../clock/when.tsx";
import { GatesDialog } from "./gates-dialog.tsx";
import { gateOutcome, OUTCOME_WORDS, type GateOutcome } from "./gate-outcome.ts";
import { gateParts, shortResult, type GateParts } from "./gate-parts.ts";
import { OverrideGateDialog } from "./override-gate-dialog.tsx";
import { isUnmet } from "./proposed.ts";

const OUTCOME_MARKS = { pass: "ok", override: "warning", unknown: "unknown", fail: "failed" } as const satisfies Record<GateOutcome, Mark>;

interface Asked {
  readonly view: GateView;
  readonly column: ReleaseColumn;
}

/** Criteria fixed before, filled in by the comparison; each candidate passes, fails or cannot be told. */
export function GatesPart({ detail }: { readonly detail: ReleaseDetail }) {
  const [isFixing, setFixing] = useState(false);
  const [asked, setAsked] = useState<Asked | null>(null);
  const isSigned = detail.signed > 0;
  return (
    <Section
      title="Gates"
      note={
        detail.gatesFixedAtMs === null ? undefined : (
          <>
            fixed <When ms={detail.gatesFixedAtMs} show="moment" />
          </>
        )
      }
      trailing={
        <Button
          size="small"
          disabled={isSigned}
          title={isSigned ? "It is signed: the criteria stand" : undefined}
          onClick={() => setFixing(true)}
        >
          {detail.gateViews.length === 0 ? "Fix gates…" : "Change gates…"}
        </Button>
      }
      plain
    >
      {detail.gateViews.length === 0 ? (
        <Inset>
          <Text tone="text">No criteria yet. Fix them before you look at results: then nobody can say that they were fitted to them.</Text>
        </Inset>
      ) : (
        <>
          <GateTable detail={detail} onOverride={setAsked} />
          <Overrides detail={detail} />
        </>
      )}
      {isFixing ? <GatesDialog detail={detail} onClose={() => setFixing(false)} /> : null}
      {asked === null ? null : (
        <OverrideGateDialog detail={detail} view={asked.view} column={asked.column} onClose={() => setAsked(null)} />
      )}
    </Section>
  );
}

function GateTable({ detail, onOverride }: { readonly detail: ReleaseDetail; readonly onOverride: (asked: Asked) => void }) {
  const candidates = detail.comparison.columns.map((column, index) => ({ column, index })).slice(1);
  return (
    <Table
      label="Gates"
      density="narrow"
      head={
        <>
          <HeadCell>Criterion</HeadCell>
          {candidates.map(({ column }) => (
            <HeadCell key={column.scorecardId} numeric>
              {column.letter}
            </HeadCell>
          ))}
        </>
      }
    >
      {detail.gateViews.map((view) => {
        const parts = gateParts(view, detail.comparison.rows);
        return (
          <Row key={view.gateId}>
            <Cell fillFromPx={CRITERION_PX} wrap title={view.title}>
              {parts.name}{" "}
              <Text nowrap tone="label">
                {parts.bound}
              </Text>
            </Cell>
            {candidates.map(({ column, index }) => (
              <Cell key={column.scorecardId} numeric title={view.cells.find((cell) => cell.column === index)?.text}>
                <GateResult
                  view={view}
                  parts={parts}
                  column={column}
                  cell={view.cells.find((cell) => cell.column === index)}
                  onOverride={detail.signed > 0 ? null : () => onOverride({ view, column })}
                />
              </Cell>
            ))}
          </Row>
        );
      })}
      <Row>
        <Cell bold>Result</Cell>
        {candidates.map(({ column, index }) => (
          <Cell key={column.scorecardId} numeric bold>
            {OUTCOME_WORDS[gateOutcome(detail.gateViews, index)]}
          </Cell>
        ))}
      </Row>
    </Table>
  );
}

/** A criterion keeps so much of its column however many candidates stand beside it. */
const CRITERION_PX = 140;

interface GateResultProps {
  readonly view: GateView;
  readonly parts: GateParts;
  readonly column: ReleaseColumn;
  readonly cell: GateCell | undefined;
  /** Null: it is signed and stands. */
  readonly onOverride: (() => void) | null;
}

/** Value and shape; one that does not pass is pressed to override it. */
function GateResult({ view, parts, column, cell, onOverride }: GateResultProps) {
  if (cell === undefined) return <SeverityShape mark="unknown" label="unknown" />;
  const outcome = cell.override === null ? cell.state : "override";
  const words = (
    <Inline gap={1} justify="end">
      <Text nowrap>{shortResult(cell, parts)}</Text>
      <SeverityShape mark={OUTCOME_MARKS[outcome]} label={OUTCOME_WORDS[outcome]} />
    </Inline>
  );
  if (!isUnmet(cell) || onOverride === null) return words;
  return (
    <Button
      size="cell"
      kind="quiet"
      aria-label={`${view.title}, ${column.letter}: ${cell.text}, ${OUTCOME_WORDS[outcome]}; override…`}
      onClick={onOverride}
    >
      {words}
    </Button>
  );
}

function Overrides({ detail }: { readonly detail: ReleaseDetail }) {
  const overridden = detail.gateViews.flatMap((view) =>
    view.cells.flatMap((cell) =>
      cell.override === null ? [] : [{ view, letter: detail.comparison.columns[cell.column]?.letter ?? "?", ...cell.override }],
    ),
  );
  if (overridden.length === 0) return null;
  return (
    <DoubtList label="Overrides">
      {overridden.map(({ view, letter, reason, actor, atMs }) => (
        <DoubtItem key={`${view.gateId} ${letter}`} mark="warning">
          <Text weight="bold" title={view.title}>{`${gateParts(view, detail.comparison.rows).name} of ${letter} overridden`}</Text>
          <Text tone="text">
            {` by ${actor}, `}
            <When ms={atMs} show="moment" />: {`“${reason}”`}
          </Text>
        </DoubtItem>
      ))}
    </DoubtList>
  );
}

import type { DetectorPrecision, LabelCounts } from "@trainwatch/core";
import {
  Cell,
  formatCount,
  formatDate,
  formatInteger,
  HeadCell,
  Inset,
  IntervalMark,
  MISSING,
  Row,
  Section,
  Table,
  Text,
} from "@trainwatch/ui";
import { useNow } from "../../clock/now.tsx";
import { PRECISION_WEEKS } from "../../data/detectors.ts";
import { precisionWord } from "../../words/detector-words.ts";

/** What people said of its alarms, week by week: a detector that gets worse is seen here first. */
export function PrecisionWeeks({ precision }: { readonly precision: DetectorPrecision | null }) {
  const nowMs = useNow();
  return (
    <Section title="Precision from labels" note={`last ${PRECISION_WEEKS} weeks`} plain>
      {precision === null || precision.weeks.length === 0 ? (
        <Inset>
          <Text tone="label">
            {precision === null || precision.unlabelled === 0
              ? "It has had no alarm that somebody could label."
              : `${formatCount(precision.unlabelled, "alarm")} that nobody has labelled. An incident's page asks: was it a right alarm?`}
          </Text>
        </Inset>
      ) : (
        <Table
          label="Precision by week"
          density="tight"
          head={
            <>
              <HeadCell>Week of</HeadCell>
              <HeadCell numeric>Right</HeadCell>
              <HeadCell numeric>Wrong</HeadCell>
              <HeadCell numeric>Unsure</HeadCell>
              <HeadCell title="Right of right and wrong, with its 95 % interval">Precision</HeadCell>
            </>
          }
        >
          {precision.weeks.map((week) => (
            <CountsRow key={week.weekMs} name={formatDate(week.weekMs, "UTC", nowMs)} counts={week} />
          ))}
          <CountsRow name="all" counts={precision.total} bold />
        </Table>
      )}
    </Section>
  );
}

function CountsRow({ name, counts, bold = false }: { readonly name: string; readonly counts: LabelCounts; readonly bold?: boolean }) {
  return (
    <Row>
      <Cell bold={bold}>{name}</Cell>
      <Cell numeric>{formatInteger(counts.right)}</Cell>
      <Cell numeric>{formatInteger(counts.wrong)}</Cell>
      <Cell numeric>{formatInteger(counts.unsure)}</Cell>
      <Cell>
        {counts.precision === null ? (
          <Text tone="label">{MISSING}</Text>
        ) : (
          <IntervalMark {...counts.precision} label={precisionWord(counts)} />
        )}
      </Cell>
    </Row>
  );
}

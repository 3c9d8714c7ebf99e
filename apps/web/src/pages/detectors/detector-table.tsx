import { DETECTOR_FAMILIES, type DetectorHealth, type DetectorPrecision, type DetectorView } from "@trainwatch/core";
import { Cell, formatCount, HeadCell, IntervalMark, MISSING, Row, Section, SeverityWord, Table, Text } from "@trainwatch/ui";
import { FAMILY_NOTES, FAMILY_TITLES, forceWord, precisionWord } from "../../words/detector-words.ts";

export interface DetectorTableProps {
  readonly list: readonly DetectorView[];
  readonly selected: string;
  readonly precision: ReadonlyMap<string, DetectorPrecision>;
  readonly blind: DetectorHealth["blind"];
  readonly onSelect: (id: string) => void;
}

/** One row a detector, by family. */
export function DetectorTable({ list, ...rest }: DetectorTableProps) {
  return DETECTOR_FAMILIES.map((family) => {
    const own = list.filter((each) => each.family === family);
    if (own.length === 0) return null;
    return (
      <Section key={family} title={FAMILY_TITLES[family]} note={`${formatCount(own.length, "detector")}: ${FAMILY_NOTES[family]}`} plain>
        <Table
          label={FAMILY_TITLES[family]}
          density="tight"
          head={
            <>
              <HeadCell widthPx={240}>What it finds</HeadCell>
              <HeadCell wide widthPx={140}>
                In force
              </HeadCell>
              <HeadCell wide widthPx={180} title="As the bench has measured it; the command stands in the particulars">
                False alarms
              </HeadCell>
              <HeadCell wide widthPx={150}>
                Delay
              </HeadCell>
              <HeadCell widthPx={130} title="Of the alarms that people have labelled, with its 95 % interval">
                Precision
              </HeadCell>
              <HeadCell>Sees</HeadCell>
            </>
          }
        >
          {own.map((detector) => (
            <DetectorRow key={detector.id} detector={detector} {...rest} />
          ))}
        </Table>
      </Section>
    );
  });
}

function DetectorRow({
  detector,
  selected,
  precision,
  blind,
  onSelect,
}: Omit<DetectorTableProps, "list"> & { readonly detector: DetectorView }) {
  const { id, family, title, finds, quality, enabled } = detector;
  const labels = precision.get(id);
  const unseen = blind.find((each) => each.detector === id);
  return (
    <Row selected={id === selected} muted={!enabled} onOpen={() => onSelect(id)}>
      <Cell bold title={finds} maxWidthPx={280}>
        {title}
      </Cell>
      <Cell wide>
        <Text tone={forceWord(detector) === "as it came" ? "label" : "value"}>{forceWord(detector)}</Text>
      </Cell>
      <Cell wide maxWidthPx={180} title={quality?.falseAlarms ?? undefined}>
        {quality?.falseAlarms ?? <Text tone="label">not measured</Text>}
      </Cell>
      <Cell wide maxWidthPx={150} title={quality?.delay ?? undefined}>
        {quality?.delay ?? <Text tone="label">not measured</Text>}
      </Cell>
      <Cell>
        {labels === undefined || labels.total.precision === null ? (
          <Text tone="label">{MISSING}</Text>
        ) : (
          <IntervalMark {...labels.total.precision} label={precisionWord(labels.total)} />
        )}
      </Cell>
      <Cell>
        {unseen === undefined ? (
          <Text tone="label">{enabled ? "not blind" : "off"}</Text>
        ) : (
          <SeverityWord mark="unknown">{family === "fleet" ? "blind" : `blind on ${formatCount(unseen.runs, "run")}`}</SeverityWord>
        )}
      </Cell>
    </Row>
  );
}

import { fromJsonNumber, type Passport } from "@trainwatch/core";
import { Cell, EmptyState, formatSigned, HeadCell, MISSING, Row, Section, Table, Text, UnknownWord, Value } from "@trainwatch/ui";
import { rowNumber, VERDICT_WORDS } from "@trainwatch/ui/charts/release";
import { When } from "../../clock/when.tsx";
import { MoreButton, useFold } from "../../paging/fold.tsx";

const AT_A_GLANCE = 7;
type Result = Passport["results"][number];

/** Results of evaluations of these weights, against the baseline of the comparison that they stand in. */
export function PassportScores({ passport }: { readonly passport: Passport }) {
  const { results, against } = passport;
  const fold = useFold(results, AT_A_GLANCE);
  return (
    <Section title="Scores" note={against === null ? "not compared so far" : `against ${against}`}>
      {results.length === 0 ? (
        <EmptyState title="No evaluation of these weights" command="npx trainwatch import path/to/results.json">
          Results that name this run and step are listed here:
        </EmptyState>
      ) : (
        <Table
          label="Scores"
          density="tight"
          head={
            <>
              <HeadCell>Row</HeadCell>
              <HeadCell numeric>Value</HeadCell>
              <HeadCell numeric>Difference</HeadCell>
              <HeadCell>Verdict</HeadCell>
              <HeadCell wide>Run on</HeadCell>
            </>
          }
        >
          {fold.shown.map((result) => (
            <ScoreRow key={result.key} result={result} />
          ))}
        </Table>
      )}
      <MoreButton fold={fold} noun="result" />
    </Section>
  );
}

const TONES = { better: "better", worse: "worse", tie: "label" } as const;

function ScoreRow({ result }: { readonly result: Result }) {
  const value = fromJsonNumber(result.value);
  const { verdict, delta } = result;
  return (
    <Row muted={value === null}>
      <Cell maxWidthPx={220} title={`${result.title} (${result.key}), from ${result.file}`}>
        {result.title}
      </Cell>
      <Cell numeric title={intervalText(result)}>
        <Value
          quantity={value === null ? { text: MISSING, unit: "" } : { text: rowNumber(value, result), unit: result.unit }}
          missing="Run, without a usable value"
        />
      </Cell>
      <Cell numeric>{delta === null ? <Text tone="label">{MISSING}</Text> : formatSigned(delta * result.scale, result.digits)}</Cell>
      <Cell>
        {verdict === null ? (
          <Text tone="label">{MISSING}</Text>
        ) : verdict === "better" || verdict === "worse" || verdict === "tie" ? (
          <Text tone={TONES[verdict]} weight="medium">
            {VERDICT_WORDS[verdict]}
          </Text>
        ) : (
          <UnknownWord>{VERDICT_WORDS[verdict].toLowerCase()}</UnknownWord>
        )}
      </Cell>
      <Cell wide>
        <Text tone="label">
          <RunOn result={result} />
        </Text>
      </Cell>
    </Row>
  );
}

function intervalText(result: Result): string | undefined {
  const samples = result.n === null ? [] : [`${result.n} samples`];
  const interval =
    result.low === null || result.high === null
      ? []
      : [`interval ${rowNumber(result.low, result)} to ${rowNumber(result.high, result)} ${result.unit}`];
  const words = [...interval, ...samples].join(", ");
  return words === "" ? undefined : words;
}

/** When the evaluation ran; where its file does not say, when it was imported. */
function RunOn({ result: { evaluatedAtMs, importedAtMs } }: { readonly result: Result }) {
  if (evaluatedAtMs !== null) return <When ms={evaluatedAtMs} show="moment" />;
  return (
    <>
      imported <When ms={importedAtMs} show="moment" />
    </>
  );
}

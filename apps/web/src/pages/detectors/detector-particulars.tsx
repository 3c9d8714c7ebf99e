import type { DetectorHealth, DetectorPrecision, DetectorView, SystemStatus } from "@trainwatch/core";
import {
  ActionRow,
  Cell,
  Fact,
  Facts,
  formatCount,
  formatInteger,
  HeadCell,
  Inset,
  Row,
  Rule,
  Section,
  SeverityWord,
  Table,
  Text,
} from "@trainwatch/ui";
import { MoreButton, useFold } from "../../paging/fold.tsx";
import { ButtonLink, Link } from "../../routing/link.tsx";
import { FAMILY_TITLES, forceWord, parameterWord, readsWord } from "../../words/detector-words.ts";
import { PrecisionWeeks } from "./precision-weeks.tsx";

export interface ParticularsProps {
  readonly detector: DetectorView;
  readonly precision: DetectorPrecision | null;
  /** Why it cannot see, and on how many runs; null where it sees all. */
  readonly blind: DetectorHealth["blind"][number] | null;
  /** The active ones of them. */
  readonly runs: SystemStatus["blind"];
}

/** All that is known of one detector. */
export function DetectorParticulars({ detector, precision, blind, runs }: ParticularsProps) {
  return (
    <>
      <Inset>
        <Text as="h2" size="lane" weight="bold">
          {detector.title}
        </Text>
        <Text as="p" tone="text">
          {detector.finds}
        </Text>
      </Inset>
      <Facts>
        <Fact name="id">
          <Text mono>{detector.id}</Text>
          <Text tone="label">{` version ${formatInteger(detector.version)}, ${FAMILY_TITLES[detector.family].toLowerCase()}`}</Text>
        </Fact>
        <Fact name="reads">{readsWord(detector.reads)}</Fact>
        <Fact name="rests on">{detector.source}</Fact>
        <Fact name="in force">{forceWord(detector)}</Fact>
      </Facts>
      <Rule />
      <Parameters detector={detector} />
      <Rule />
      <Quality quality={detector.quality} />
      <Rule />
      <PrecisionWeeks precision={precision} />
      <Rule />
      <Health blind={blind} runs={runs} isFleet={detector.family === "fleet"} />
      <ActionRow>
        <ButtonLink
          to="/settings"
          search={detector.ruleId === null ? { tab: "rules", edit: `new:${detector.id}` } : { tab: "rules", edit: String(detector.ruleId) }}
          size="small"
        >
          {detector.ruleId === null ? "Change by a rule…" : "Change its rule…"}
        </ButtonLink>
      </ActionRow>
    </>
  );
}

function Parameters({ detector: { parameters } }: Pick<ParticularsProps, "detector">) {
  if (parameters.length === 0) {
    return (
      <Section title="Parameters" plain>
        <Inset>
          <Text tone="label">It has none: what it finds is true or it is not.</Text>
        </Inset>
      </Section>
    );
  }
  return (
    <Section title="Parameters" note="in force for everybody; a default that was changed in brackets" plain>
      <Table
        label="Parameters"
        density="tight"
        head={
          <>
            <HeadCell>Meaning</HeadCell>
            <HeadCell numeric>In force</HeadCell>
          </>
        }
      >
        {parameters.map(({ name, value, inForce, unit, meaning }) => (
          <Row key={name}>
            <Cell wrap>
              {meaning} <Text tone="label">{name}</Text>
            </Cell>
            <Cell numeric bold={inForce !== value}>
              {parameterWord(inForce, unit)}
              {inForce === value ? null : <Text tone="label" weight="regular">{` (${parameterWord(value, "")})`}</Text>}
            </Cell>
          </Row>
        ))}
      </Table>
    </Section>
  );
}

function Quality({ quality }: Pick<DetectorView, "quality">) {
  return (
    <Section title="Quality" note="as measured" plain>
      {quality === null ? (
        <Inset>
          <Text tone="label">Not measured on this build.</Text>
        </Inset>
      ) : (
        <Facts>
          <Fact name="false alarms">{quality.falseAlarms ?? <Text tone="label">not measured</Text>}</Fact>
          <Fact name="delay">{quality.delay ?? <Text tone="label">not measured</Text>}</Fact>
          <Fact name="recall">{quality.recall ?? <Text tone="label">not measured</Text>}</Fact>
          <Fact name="from">
            {quality.command === null ? <Text tone="label">no command is told</Text> : <Text mono>{quality.command}</Text>}
          </Fact>
        </Facts>
      )}
    </Section>
  );
}

const AT_A_GLANCE = 6;

/** Where it cannot see, and why: that it finds nothing there says nothing. */
function Health({ blind, runs, isFleet }: Pick<ParticularsProps, "blind" | "runs"> & { readonly isFleet: boolean }) {
  const fold = useFold(runs, AT_A_GLANCE);
  return (
    <Section title="Health" note={blind === null || isFleet ? undefined : `blind on ${formatCount(blind.runs, "run")}`} plain>
      {blind === null ? (
        <Inset>
          <Text tone="label">{isFleet ? "It sees the fields that it reads." : "It reports no run on which it is blind."}</Text>
        </Inset>
      ) : runs.length === 0 ? (
        <Inset>
          <SeverityWord mark="unknown">{isFleet ? `Blind: ${blind.why}` : `Such as: ${blind.why}`}</SeverityWord>
        </Inset>
      ) : (
        <Facts>
          {fold.shown.map(({ runId, run, why }) => (
            <Fact key={`${runId} ${why}`} name={run}>
              <SeverityWord mark="unknown">{why}</SeverityWord>{" "}
              <Link to="/runs/$runId" params={{ runId }} look="source">
                open
              </Link>
            </Fact>
          ))}
        </Facts>
      )}
      <MoreButton fold={fold} noun="run" />
    </Section>
  );
}

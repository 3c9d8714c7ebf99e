import type { CheckpointEntry } from "@trainwatch/core";
import { Cell, DeskOnly, formatCompact, formatInteger, MISSING, Row, SeverityWord, Text, UnknownWord, Value } from "@trainwatch/ui";
import { When } from "../../clock/when.tsx";
import { Link } from "../../routing/link.tsx";
import { CHECKPOINT_WORDS } from "../../words/checkpoint-words.ts";

export interface CheckpointLineProps {
  readonly checkpoint: CheckpointEntry;
  readonly selected: boolean;
  readonly rowRef: (row: HTMLElement | null) => void;
  readonly onOpen: () => void;
}

/** One checkpoint of the registry. What was rolled back stays in place, in the label ink. */
export function CheckpointLine({ checkpoint, selected, rowRef, onOpen }: CheckpointLineProps) {
  const { mark, word } = CHECKPOINT_WORDS[checkpoint.state];
  const { run, signedReleases } = checkpoint;
  return (
    <Row selected={selected} rowRef={rowRef} muted={!checkpoint.inEffect} onOpen={onOpen}>
      <Cell title={checkpoint.reason ?? undefined} maxWidthPx={220}>
        <SeverityWord mark={mark}>
          {word}
          {checkpoint.reason === null ? null : <DeskOnly>{`: ${checkpoint.reason}`}</DeskOnly>}
        </SeverityWord>
      </Cell>
      <Cell numeric bold>
        <Link
          to="/checkpoints/$checkpointId"
          params={{ checkpointId: checkpoint.checkpointId }}
          look="plain"
          aria-label={`Passport of ${run.name}, step ${formatInteger(checkpoint.step)}`}
        >
          {formatInteger(checkpoint.step)}
        </Link>
      </Cell>
      <Cell maxWidthPx={260} title={`${run.project}/${run.name}`}>
        <Text tone="label">{run.project}/</Text>
        {run.name}
        {checkpoint.kind === "model" ? null : <Text tone="label">{` ${checkpoint.kind}`}</Text>}
      </Cell>
      <Cell wide>{checkpoint.attempt}</Cell>
      <Cell wide numeric>
        <Value quantity={formatCompact(checkpoint.tokens)} missing="The run does not say how many tokens a step takes" />
      </Cell>
      <Cell wide>{checkpoint.savedAtMs === null ? <UnknownWord>not told</UnknownWord> : <When ms={checkpoint.savedAtMs} />}</Cell>
      <Cell wide>{checkpoint.inEffect ? "in effect" : "rolled back"}</Cell>
      <Cell numeric>{checkpoint.results === 0 ? <Text tone="label">none</Text> : formatInteger(checkpoint.results)}</Cell>
      <Cell wide numeric>
        {formatInteger(checkpoint.incidentsBefore)}
      </Cell>
      <Cell wide maxWidthPx={220} title={signedReleases.map(({ name }) => name).join(", ")}>
        {signedReleases.length === 0 ? <Text tone="label">{MISSING}</Text> : signedReleases.map(({ name }) => name).join(", ")}
      </Cell>
    </Row>
  );
}

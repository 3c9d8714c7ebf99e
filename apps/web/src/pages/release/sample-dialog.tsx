import type { SampleDifference, SampleTexts } from "@trainwatch/core";
import { Button, Dialog, LongText, SkeletonBlock, Stack, Text, TextPair } from "@trainwatch/ui";
import { useSample, type CellQuestion } from "../../data/releases.ts";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { columnTitle } from "./release-words.ts";
import { sideFacts } from "./sample-words.ts";
import type { ReleaseSearch } from "./search.ts";
import type { ShownCell } from "./shown-cell.ts";
import { useReleaseSearch } from "./use-release-search.ts";

export interface SampleDialogProps {
  readonly question: CellQuestion;
  readonly shown: ShownCell;
  readonly sample: { readonly key: string; readonly epoch: number };
  /** The list it was opened from: its neighbours are one press away. */
  readonly items: readonly SampleDifference[];
}

const SIDES_PX = 320;

/** One sample: what was asked, what was wanted, and both answers side by side. */
export function SampleDialog({ question, shown, sample, items }: SampleDialogProps) {
  const { adjust } = useReleaseSearch();
  const texts = useSample(question, sample);
  const at = items.findIndex(({ key, epoch }) => key === sample.key && epoch === sample.epoch);
  const close = (): void => adjust(({ sample: _sample, epoch: _epoch, ...rest }: ReleaseSearch) => rest);
  const goTo = (item: SampleDifference | undefined): void => {
    if (item !== undefined)
      adjust(({ epoch: _epoch, ...rest }) => ({ ...rest, sample: item.key, ...(item.epoch === 0 ? {} : { epoch: item.epoch }) }));
  };
  return (
    <Dialog
      open
      onOpenChange={close}
      size="wide"
      title={`${shown.row.title}, sample ${sample.key}${sample.epoch === 0 ? "" : `, epoch ${sample.epoch}`}`}
      actions={
        <>
          <Button disabled={at <= 0} onClick={() => goTo(items[at - 1])}>
            Previous sample
          </Button>
          <Button disabled={at === -1 || at + 1 >= items.length} onClick={() => goTo(items[at + 1])}>
            Next sample
          </Button>
          <Button onClick={close}>Close</Button>
        </>
      }
    >
      <LoadedView loaded={texts} what="The sample" skeleton={<SkeletonBlock label="the sample" heightPx={SIDES_PX} />}>
        {(data) => <Texts texts={data} shown={shown} />}
      </LoadedView>
    </Dialog>
  );
}

function Texts({ texts, shown }: { readonly texts: SampleTexts; readonly shown: ShownCell }) {
  const side = (title: string, own: SampleTexts["baseline"]) => ({
    title,
    text: own?.answer ?? null,
    facts: own === null ? "not measured" : sideFacts(own),
  });
  return (
    <Stack gap={3}>
      <Part title="Asked" text={texts.prompt} />
      <Part title="Wanted" text={texts.target} />
      <TextPair left={side("Baseline", texts.baseline)} right={side(columnTitle(shown.column), texts.candidate)} />
    </Stack>
  );
}

function Part({ title, text }: { readonly title: string; readonly text: string | null }) {
  return (
    <Stack gap={1}>
      <Text as="h3" size="label" weight="bold">
        {title}
      </Text>
      {text === null ? <Text tone="label">The text was not kept.</Text> : <LongText label={title}>{text}</LongText>}
    </Stack>
  );
}

import type { FrozenDifference, ReleaseDetail } from "@trainwatch/core";
import { Button, Cell, CopyButton, Dialog, formatCount, HeadCell, LongText, Row, SkeletonRows, Stack, Table, Text } from "@trainwatch/ui";
import { useFrozenDifferences, useFrozenRelease } from "../../data/releases.ts";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { frozenWords } from "./release-words.ts";

export interface FrozenDialogProps {
  readonly detail: ReleaseDetail;
  readonly shows: "copy" | "changes";
  readonly onClose: () => void;
}

/** The signed copy as it was, or what is now other than in it. */
export function FrozenDialog({ detail, shows, onClose }: FrozenDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="wide"
      title={shows === "copy" ? "The copy that was signed" : "Changed since it was signed"}
      description={
        shows === "copy"
          ? "Canonical JSON; its SHA-256 is the hash that every signature names."
          : "Results that came after the signature. The signed copy stands as it was."
      }
      actions={<Button onClick={onClose}>Close</Button>}
    >
      {shows === "copy" ? <Copy detail={detail} /> : <Changes detail={detail} />}
    </Dialog>
  );
}

function Copy({ detail }: { readonly detail: ReleaseDetail }) {
  const frozen = useFrozenRelease(detail.releaseId);
  return (
    <LoadedView loaded={frozen} what="The frozen copy" skeleton={<SkeletonRows label="the frozen copy" rows={8} />}>
      {(data) =>
        data === null ? (
          <Text>Nothing has been signed yet.</Text>
        ) : (
          <Stack gap={2}>
            <Text mono>{`sha256 ${data.hash}`}</Text>
            <LongText label="Frozen copy">{data.body}</LongText>
            <CopyButton text={data.body} label="Copy the text" />
          </Stack>
        )
      }
    </LoadedView>
  );
}

function Changes({ detail }: { readonly detail: ReleaseDetail }) {
  const changes = useFrozenDifferences(detail.releaseId);
  return (
    <LoadedView loaded={changes} what="The list of changes" skeleton={<SkeletonRows label="changes" rows={6} />}>
      {(items) => (
        <Stack gap={2}>
          <Text tone="text">{formatCount(items.length, "cell")}</Text>
          <ChangeTable detail={detail} items={items} />
        </Stack>
      )}
    </LoadedView>
  );
}

function ChangeTable({ detail, items }: { readonly detail: ReleaseDetail; readonly items: readonly FrozenDifference[] }) {
  return (
    <Table
      label="Changed since it was signed"
      head={
        <>
          <HeadCell>Row</HeadCell>
          <HeadCell>Column</HeadCell>
          <HeadCell>Signed</HeadCell>
          <HeadCell>Now</HeadCell>
        </>
      }
    >
      {items.map((change) => {
        const row = detail.comparison.rows.find(({ key }) => key === change.key);
        const words = row ?? { scale: 1, digits: 4, unit: "" };
        return (
          <Row key={`${change.key} ${change.letter}`}>
            <Cell bold maxWidthPx={360} title={change.title}>
              {change.title}
            </Cell>
            <Cell>{change.letter}</Cell>
            <Cell>{frozenWords(words, change.before)}</Cell>
            <Cell>{frozenWords(words, change.now)}</Cell>
          </Row>
        );
      })}
    </Table>
  );
}

import { Inset, Section, Stack, UnknownSentence } from "@trainwatch/ui";
import { MoreButton, useFold } from "../../paging/fold.tsx";

const FIRST = 5;

/** What the comparison could not say, and why: told, not left out. */
export function NotesPart({ notes }: { readonly notes: readonly string[] }) {
  const fold = useFold(notes, FIRST);
  if (notes.length === 0) return null;
  return (
    <Section title="What cannot be said" plain>
      <Inset>
        <Stack gap={1}>
          {fold.shown.map((note) => (
            <UnknownSentence key={note}>{note}</UnknownSentence>
          ))}
        </Stack>
      </Inset>
      <MoreButton fold={fold} noun="note" />
    </Section>
  );
}

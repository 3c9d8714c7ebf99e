import type { Passport } from "@trainwatch/core";
import { DoubtItem, DoubtList, Inset, Section, Text } from "@trainwatch/ui";

/** What nobody knows of these weights: the unknown is said, never left out. */
export function PassportDoubts({ passport: { doubts } }: { readonly passport: Passport }) {
  return (
    <Section title="Open doubts">
      {doubts.length === 0 ? (
        <Inset>
          <Text tone="label">None is recorded.</Text>
        </Inset>
      ) : (
        <DoubtList label="Open doubts">
          {doubts.map(({ kind, text }) => (
            <DoubtItem key={text} mark={kind === "unknown" ? "unknown" : "info"}>
              {text}
            </DoubtItem>
          ))}
        </DoubtList>
      )}
    </Section>
  );
}

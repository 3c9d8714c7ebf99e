import type { PostTrainingView } from "@trainwatch/core";
import { DoubtItem, DoubtList, Section } from "@trainwatch/ui";

/** Signs that cannot be seen in this run, with what to log: a lane that is not there says nothing by itself. */
export function NotLogged({ view }: { readonly view: PostTrainingView }) {
  const missing = view.lanes.filter(({ signal, missing: why }) => signal !== "held-out" && why !== null);
  if (missing.length === 0) return null;
  return (
    <Section title="Not to be seen in this run">
      <DoubtList label="Not to be seen in this run">
        {missing.map(({ signal, missing: why }) => (
          <DoubtItem key={signal} mark="unknown">
            {why}
          </DoubtItem>
        ))}
      </DoubtList>
    </Section>
  );
}

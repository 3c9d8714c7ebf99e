import type { Evidence, Finding } from "@trainwatch/core";
import { EvidenceGroup, EvidenceRow, Inset, Section, Value } from "@trainwatch/ui";
import { useMemo } from "react";
import { MoreButton, useFold } from "../../paging/fold.tsx";
import { distinctEvidence, evidenceQuantity, sourceWord } from "./evidence-words.ts";

const GROUPS = [
  { weight: "for", title: "For", none: "Nothing speaks for it." },
  { weight: "against", title: "Against", none: "Nothing found against it. That is not the same as certainty." },
  { weight: "neutral", title: "Neutral", none: null },
] as const;

/** What speaks for the findings and what against; the second is always shown, and shown whole. */
export function EvidencePanel({ findings }: { readonly findings: readonly Finding[] }) {
  const evidence = useMemo(() => distinctEvidence(findings), [findings]);
  return (
    <Section title="Evidence" note="each with its source and raw value">
      {GROUPS.map(({ weight, title, none }) => {
        const items = evidence.filter((item) => item.weight === weight);
        if (items.length === 0 && none === null) return null;
        return (
          <EvidenceGroup key={weight} title={title} count={items.length}>
            {items.length === 0 ? (
              <li>
                <Inset>{none}</Inset>
              </li>
            ) : (
              <Side items={items} weight={weight} />
            )}
          </EvidenceGroup>
        );
      })}
    </Section>
  );
}

/** So many facts of a side are read at a glance; the page keeps room for the other side. What speaks against is there whole, however little room there is. */
const AT_A_GLANCE = 5;
const WHOLE = 100;

function Side({ items, weight }: { readonly items: readonly Evidence[]; readonly weight: Evidence["weight"] }) {
  const fold = useFold(items, weight === "against" ? WHOLE : AT_A_GLANCE);
  return (
    <>
      {fold.shown.map((item, index) => (
        <EvidenceRow
          key={`${item.text}-${index}`}
          weight={weight}
          source={sourceWord(item.source)}
          value={<Value quantity={evidenceQuantity(item)} />}
        >
          {item.text}
        </EvidenceRow>
      ))}
      <li>
        <MoreButton fold={fold} noun="fact" />
      </li>
    </>
  );
}

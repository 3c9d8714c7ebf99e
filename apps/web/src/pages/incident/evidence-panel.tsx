import type { Finding } from "@trainwatch/core";
import { EvidenceGroup, EvidenceRow, Inset, Section, Value } from "@trainwatch/ui";
import { distinctEvidence, evidenceQuantity } from "./evidence-words.ts";

const GROUPS = [
  { weight: "for", title: "For", none: "Nothing speaks for it." },
  { weight: "against", title: "Against", none: "Nothing found against it. That is not the same as certainty." },
  { weight: "neutral", title: "Neutral", none: null },
] as const;

/** What speaks for the findings and what against; the second is always shown. */
export function EvidencePanel({ findings }: { readonly findings: readonly Finding[] }) {
  const evidence = distinctEvidence(findings);
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
              items.map((item, index) => (
                <EvidenceRow
                  key={`${item.text}-${index}`}
                  weight={weight}
                  source={item.source ?? "–"}
                  value={<Value quantity={evidenceQuantity(item)} />}
                >
                  {item.text}
                </EvidenceRow>
              ))
            )}
          </EvidenceGroup>
        );
      })}
    </Section>
  );
}

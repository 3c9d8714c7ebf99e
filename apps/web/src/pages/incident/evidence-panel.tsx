import type { Evidence, Finding } from "@trainwatch/core";
import { EvidenceGroup, EvidenceRow, formatMetric, Inset, Section, Value, type Quantity } from "@trainwatch/ui";

const GROUPS = [
  { weight: "for", title: "For", none: "Nothing speaks for it." },
  { weight: "against", title: "Against", none: "Nothing found against it. That is not the same as certainty." },
  { weight: "neutral", title: "Neutral", none: null },
] as const;

/** What speaks for the findings and what against; the second is always shown. */
export function EvidencePanel({ findings }: { readonly findings: readonly Finding[] }) {
  const evidence = findings.flatMap((finding) => finding.evidence);
  return (
    <Section title="Evidence" note="each with its source and raw value">
      {GROUPS.map(({ weight, title, none }) => {
        const items = evidence.filter((item) => item.weight === weight);
        if (items.length === 0 && none === null) return null;
        return (
          <EvidenceGroup key={weight} title={title} count={items.length}>
            {items.length === 0 ? (
              <li><Inset>{none}</Inset></li>
            ) : (
              items.map((item, index) => (
                <EvidenceRow key={`${item.text}-${index}`} weight={weight} source={item.source ?? "–"} value={<Value quantity={quantityOf(item)} />}>
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

/** Evidence names its own unit; where its source is a metric the metric's precision holds. */
function quantityOf(item: Evidence): Quantity {
  return formatMetric(item.source ?? "", item.value, item.unit ?? "");
}

import type { Evidence, Finding } from "@trainwatch/core";
import { Button, EvidenceGroup, EvidenceRow, formatCount, Inset, Section, Value } from "@trainwatch/ui";
import { useState } from "react";
import { distinctEvidence, evidenceQuantity } from "./evidence-words.ts";

const GROUPS = [
  { weight: "for", title: "For", none: "Nothing speaks for it." },
  { weight: "against", title: "Against", none: "Nothing found against it. That is not the same as certainty." },
  { weight: "neutral", title: "Neutral", none: null },
] as const;

/** What speaks for the findings and what against; the second is always shown, and shown whole. */
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
              <Side items={items} weight={weight} />
            )}
          </EvidenceGroup>
        );
      })}
    </Section>
  );
}

/** So many facts of a side are read at a glance; the page keeps room for the other side. */
const AT_A_GLANCE = 5;

function Side({ items, weight }: { readonly items: readonly Evidence[]; readonly weight: Evidence["weight"] }) {
  const [all, setAll] = useState(weight === "against");
  const shown = all ? items : items.slice(0, AT_A_GLANCE);
  return (
    <>
      {shown.map((item, index) => (
        <EvidenceRow
          key={`${item.text}-${index}`}
          weight={weight}
          source={item.source ?? "–"}
          value={<Value quantity={evidenceQuantity(item)} />}
        >
          {item.text}
        </EvidenceRow>
      ))}
      {shown.length === items.length ? null : (
        <li>
          <Inset>
            <Button size="small" kind="quiet" onClick={() => setAll(true)}>
              {`Show ${formatCount(items.length - shown.length, "more fact")}`}
            </Button>
          </Inset>
        </li>
      )}
    </>
  );
}

import type { PostTrainingView, RunDetail } from "@trainwatch/core";
import { FindingItem, FindingList, formatInteger, formatMoment, Inset, Section, SeverityWord } from "@trainwatch/ui";
import { isRolledBack } from "@trainwatch/ui/charts/prepare";
import { useNow } from "../../../clock/now.tsx";
import { useKeys } from "../../../keys/keys.tsx";
import { useZone } from "../../../zone/zone.tsx";
import { byOnset, findingMark, findingTitle, neighbour } from "../finding-words.ts";
import { useRunSearch } from "../use-run-search.ts";

/** What the detectors of post-training said, newest onset first. */
export function PostTrainingFindings({ run, view }: { readonly run: RunDetail; readonly view: PostTrainingView }) {
  const { search, adjust } = useRunSearch();
  const { zone } = useZone();
  const nowMs = useNow();
  const ordered = byOnset(view.findings);
  const select = (finding: string): void => adjust((before) => ({ ...before, finding }));
  const go = (direction: 1 | -1): void => {
    const next = neighbour(ordered, search.finding, direction);
    if (next !== undefined) select(next.id);
  };
  useKeys(
    ordered.length === 0
      ? []
      : [
          { keys: "n", label: "Next finding", group: "Charts", run: () => go(1) },
          { keys: "p", label: "Previous finding", group: "Charts", run: () => go(-1) },
        ],
  );
  return (
    <Section title="Findings" note="of post-training">
      {ordered.length === 0 ? (
        <Inset>
          <SeverityWord mark={run.watched ? "ok" : "unknown"}>
            {run.watched ? "No finding in what can be seen" : "Not judged yet: too few points"}
          </SeverityWord>
        </Inset>
      ) : (
        <FindingList label="Findings">
          {ordered.toReversed().map((finding) => (
            <FindingItem
              key={finding.id}
              mark={findingMark(finding)}
              title={findingTitle(finding)}
              at={finding.onsetStep === null ? formatMoment(finding.onsetTimeMs, zone, nowMs) : formatInteger(finding.onsetStep)}
              hint={finding.summary}
              trailing={isRolledBack(finding, run.attempts) ? "these steps were rolled back" : undefined}
              selected={finding.id === search.finding}
              onSelect={() => select(finding.id)}
            >
              {finding.summary}
            </FindingItem>
          ))}
        </FindingList>
      )}
    </Section>
  );
}

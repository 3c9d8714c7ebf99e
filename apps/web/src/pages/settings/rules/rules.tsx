import { DETECTOR_FAMILIES, type DetectorView, type StoredRule } from "@trainwatch/core";
import {
  Button,
  Cell,
  EmptyState,
  HeadCell,
  MARK_WORDS,
  Row,
  Section,
  Select,
  SeverityShape,
  SkeletonRows,
  Table,
  Text,
} from "@trainwatch/ui";
import { useState } from "react";
import { When } from "../../../clock/when.tsx";
import { useDetectors } from "../../../data/detectors.ts";
import { useRules, useRuleVerbs } from "../../../data/rules.ts";
import { LoadedView } from "../../../loaded-view/loaded-view.tsx";
import { Link } from "../../../routing/link.tsx";
import { scopeWord } from "../../../rule-scope/scope-words.ts";
import { DeleteDialog } from "../delete-dialog.tsx";
import { useEditing } from "../use-editing.ts";
import { newDetectorRule, newMetricRule, ruleDraft, type RuleDraft } from "./rule-draft.ts";
import { RuleEditor } from "./rule-editor.tsx";
import { ruleTitle, ruleWord } from "./rule-words.ts";

/** Changes to detectors, and thresholds of people's own. */
export function Rules() {
  const detectors = useDetectors();
  return (
    <LoadedView loaded={detectors} what="The catalogue of detectors" skeleton={<SkeletonRows label="detectors" rows={6} />}>
      {(catalogue) => <RuleList catalogue={catalogue} />}
    </LoadedView>
  );
}

function RuleList({ catalogue }: { readonly catalogue: readonly DetectorView[] }) {
  const rules = useRules();
  const { edit, open, close } = useEditing("rules");
  const [deleting, setDeleting] = useState<StoredRule | null>(null);
  const { remove } = useRuleVerbs();
  return (
    <LoadedView loaded={rules} what="The rules" skeleton={<SkeletonRows label="rules" rows={6} />}>
      {(list) => {
        const editing = edit === undefined ? null : editedRule(edit, list);
        if (editing !== null) return <RuleEditor key={edit} {...editing} catalogue={catalogue} onClose={close} />;
        return (
          <Section
            title="Rules"
            note="what differs from the detectors' defaults; the narrowest scope says"
            trailing={<NewRule catalogue={catalogue} onNew={open} />}
          >
            {list.length === 0 ? (
              <EmptyState title="Every detector runs with its defaults">
                <Link to="/detectors" look="source">
                  The catalogue
                </Link>{" "}
                tells what each of them finds. A rule turns one off, changes its parameters for a run or a cluster, or sets a threshold on
                any metric.
              </EmptyState>
            ) : (
              <RuleTable list={list} catalogue={catalogue} onEdit={(id) => open(String(id))} onDelete={setDeleting} />
            )}
            {deleting === null ? null : (
              <DeleteDialog
                title={`Delete the rule on “${ruleTitle(deleting.rule, detectorOf(catalogue, deleting))}”?`}
                consequence={
                  deleting.rule.kind === "metric"
                    ? "Nobody is told of this threshold any more. What it has found stays."
                    : "A wider rule holds again, or the detector's own defaults. What it has found stays."
                }
                isSending={remove.isSending}
                failure={remove.failure}
                onDelete={() => remove.send({ ruleId: deleting.id }, () => setDeleting(null))}
                onClose={() => setDeleting(null)}
              />
            )}
          </Section>
        );
      }}
    </LoadedView>
  );
}

/** What the URL asks to edit; null for a rule that is not there any more. */
function editedRule(edit: string, list: readonly StoredRule[]): { readonly stored: StoredRule | null; readonly initial: RuleDraft } | null {
  if (edit === "new:metric") return { stored: null, initial: newMetricRule() };
  if (edit.startsWith("new:")) return { stored: null, initial: newDetectorRule(edit.slice("new:".length)) };
  const stored = list.find(({ id }) => String(id) === edit);
  return stored === undefined ? null : { stored, initial: ruleDraft(stored.rule) };
}

function detectorOf(catalogue: readonly DetectorView[], { rule }: StoredRule): DetectorView | undefined {
  return rule.kind === "metric" ? undefined : catalogue.find(({ id }) => id === rule.detector);
}

const NONE = "";

function NewRule({ catalogue, onNew }: { readonly catalogue: readonly DetectorView[]; readonly onNew: (what: string) => void }) {
  const ordered = DETECTOR_FAMILIES.flatMap((family) => catalogue.filter((each) => each.family === family));
  return (
    <>
      <Select
        label="Change a detector"
        value={NONE}
        options={[{ value: NONE, label: "Change a detector…" }, ...ordered.map(({ id, title }) => ({ value: id, label: title }))]}
        onChange={(id) => {
          if (id !== NONE) onNew(`new:${id}`);
        }}
      />
      <Button size="small" onClick={() => onNew("new:metric")}>
        New threshold…
      </Button>
    </>
  );
}

interface RuleTableProps {
  readonly list: readonly StoredRule[];
  readonly catalogue: readonly DetectorView[];
  readonly onEdit: (id: number) => void;
  readonly onDelete: (rule: StoredRule) => void;
}

function RuleTable({ list, catalogue, onEdit, onDelete }: RuleTableProps) {
  return (
    <Table
      label="Rules"
      head={
        <>
          <HeadCell>Rule</HeadCell>
          <HeadCell>Says</HeadCell>
          <HeadCell wide>Told as</HeadCell>
          <HeadCell>For</HeadCell>
          <HeadCell>State</HeadCell>
          <HeadCell wide>Changed</HeadCell>
          <HeadCell numeric>Change</HeadCell>
        </>
      }
    >
      {list.map((stored) => {
        const detector = detectorOf(catalogue, stored);
        const { rule } = stored;
        const title = ruleTitle(rule, detector);
        return (
          <Row key={stored.id} muted={!rule.enabled}>
            <Cell bold maxWidthPx={240} title={title}>
              {title}
            </Cell>
            <Cell wrap>{ruleWord(rule, detector)}</Cell>
            <Cell wide>
              {rule.severity === null ? (
                <Text tone="label">as it says</Text>
              ) : (
                <>
                  <SeverityShape mark={rule.severity} /> {MARK_WORDS[rule.severity]}
                </>
              )}
            </Cell>
            <Cell>{scopeWord(rule.scope)}</Cell>
            <Cell>{rule.enabled ? "on" : "off"}</Cell>
            <Cell wide>
              <When ms={stored.updatedAtMs} show="moment" /> <Text tone="label">by {stored.createdBy}</Text>
            </Cell>
            <Cell numeric>
              <Button kind="quiet" size="small" aria-label={`Change ${title}…`} onClick={() => onEdit(stored.id)}>
                Change…
              </Button>
              <Button kind="quiet" size="small" aria-label={`Delete ${title}…`} onClick={() => onDelete(stored)}>
                Delete…
              </Button>
            </Cell>
          </Row>
        );
      })}
    </Table>
  );
}

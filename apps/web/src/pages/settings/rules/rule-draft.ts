import { ruleSchema, type DetectorView, type MetricRule, type Rule, type Severity } from "@trainwatch/core";
import { readNumber } from "../../../url/read.ts";
import { scopeDraft, scopeOf, type ScopeDraft } from "../../../rule-scope/scope-field.tsx";

interface SharedDraft {
  readonly enabled: boolean;
  readonly scope: ScopeDraft;
  /** When it runs out; the form leaves it as it is. */
  readonly untilMs?: number | null;
}

/** A change of a detector as it stands in the form: parameters as typed, empty where the default stays. */
export interface DetectorDraft extends SharedDraft {
  readonly kind: "detector";
  readonly detector: string;
  /** "": as the detector says. */
  readonly severity: Severity | "";
  readonly parameters: Readonly<Record<string, string>>;
}

/** A threshold as it stands in the form. */
export interface MetricDraft extends SharedDraft {
  readonly kind: "metric";
  readonly title: string;
  readonly metric: string;
  readonly condition: MetricRule["condition"];
  readonly value: string;
  readonly forPoints: string;
  readonly recoverValue: string;
  readonly severity: Severity;
}

export type RuleDraft = DetectorDraft | MetricDraft;

const FOR_EVERYBODY = { runId: null, cluster: null };

export function newDetectorRule(detector: string): DetectorDraft {
  return { kind: "detector", detector, enabled: true, severity: "", parameters: {}, scope: scopeDraft(FOR_EVERYBODY) };
}

export function newMetricRule(): MetricDraft {
  return {
    kind: "metric",
    title: "",
    metric: "loss",
    condition: "above",
    value: "",
    forPoints: "3",
    recoverValue: "",
    severity: "warning",
    enabled: true,
    scope: scopeDraft(FOR_EVERYBODY),
  };
}

export function ruleDraft(rule: Rule): RuleDraft {
  if (rule.kind === "detector") {
    const parameters = Object.fromEntries(Object.entries(rule.parameters).map(([name, value]) => [name, String(value)]));
    return { ...rule, severity: rule.severity ?? "", parameters, scope: scopeDraft(rule.scope) };
  }
  return {
    ...rule,
    value: String(rule.value),
    forPoints: String(rule.forPoints),
    recoverValue: rule.recoverValue === null ? "" : String(rule.recoverValue),
    scope: scopeDraft(rule.scope),
  };
}

/** What is wrong, by field; parameters by their name. */
export type RuleFaults = Readonly<Record<string, string>>;

/** The rule, or what is wrong with the form. `detector` is the one that is changed, for its bounds. */
export function ruleOf(draft: RuleDraft, detector: DetectorView | null): { readonly rule: Rule } | { readonly faults: RuleFaults } {
  const scope = scopeOf(draft.scope);
  const faults: Record<string, string> = scope === null ? { scope: draft.scope.kind === "run" ? "Name the run" : "Name the cluster" } : {};
  const found = draft.kind === "detector" ? detectorFaults(draft, detector) : metricFaults(draft);
  const read = ruleSchema.safeParse(draft.kind === "detector" ? detectorInput(draft) : metricInput(draft));
  const all = { ...faults, ...found };
  if (!read.success) {
    for (const { path, message } of read.error.issues) all[String(path.at(-1) ?? "")] ??= message;
  }
  return read.success && Object.keys(all).length === 0 ? { rule: read.data } : { faults: all };
}

function detectorInput({ detector, enabled, severity, parameters, scope, untilMs = null }: DetectorDraft) {
  const given = Object.entries(parameters).flatMap(([name, text]) => (text.trim() === "" ? [] : [[name, readNumber(text)] as const]));
  return {
    kind: "detector",
    detector,
    enabled,
    severity: severity === "" ? null : severity,
    parameters: Object.fromEntries(given),
    scope: scopeOf(scope) ?? {},
    untilMs,
  };
}

function metricInput({ value, forPoints, recoverValue, scope, ...rest }: MetricDraft) {
  return {
    ...rest,
    value: readNumber(value),
    forPoints: readNumber(forPoints),
    recoverValue: recoverValue.trim() === "" ? null : readNumber(recoverValue),
    scope: scopeOf(scope) ?? {},
  };
}

function detectorFaults({ parameters }: DetectorDraft, detector: DetectorView | null): RuleFaults {
  return Object.fromEntries(
    (detector?.parameters ?? []).flatMap(({ name, value: usual, least, most }) => {
      const text = parameters[name]?.trim() ?? "";
      if (text === "") return [];
      const value = readNumber(text);
      if (value === undefined) return [[name, "A number"]];
      if (least !== null && value < least) return [[name, `At least ${least}`]];
      if (most !== null && value > most) return [[name, `At most ${most}`]];
      // As the detectors read it: without bounds of its own a positive parameter stays positive.
      return least === null && usual > 0 && value <= 0 ? [[name, "Above 0"]] : [];
    }),
  );
}

function metricFaults({ title, metric, condition, value, recoverValue, forPoints }: MetricDraft): RuleFaults {
  const faults: Record<string, string> = {};
  if (title.trim() === "") faults["title"] = "Say what it is about";
  if (metric.trim() === "") faults["metric"] = "Name the metric";
  const [limit, back, points] = [readNumber(value), readNumber(recoverValue), readNumber(forPoints)];
  if (limit === undefined) faults["value"] = "A number";
  if (points === undefined || !Number.isInteger(points) || points < 1) faults["forPoints"] = "A whole number, at least 1";
  if (recoverValue.trim() !== "" && back === undefined) faults["recoverValue"] = "A number";
  if (limit !== undefined && back !== undefined && (condition === "above" ? back > limit : back < limit)) {
    faults["recoverValue"] =
      condition === "above"
        ? "Not above the threshold: it would be over before it began"
        : "Not below the threshold: it would be over before it began";
  }
  return faults;
}

import type { DetectorRule, MetricRule, RuleScope, Severity, StoredRule } from "@trainwatch/core";

/** What a run works in, as far as rules go; both null asks for what holds for everybody. */
export interface RuleQuestion {
  readonly runId: number | null;
  readonly cluster: string | null;
  /** Rules that have run out by then hold no more. */
  readonly nowMs: number;
}

export interface RulesInForce {
  /** What differs from the detectors' defaults: by detector, then by name. As `MonitorContext.parameters`. */
  readonly parameters: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Whether findings of this detector are told at all. */
  isEnabled(detector: string): boolean;
  /** What a finding of this detector is told at: a note stays a note. */
  severityOf(detector: string, severity: Severity): Severity;
  readonly metricRules: readonly { readonly id: number; readonly rule: MetricRule }[];
  /** The rule that says for a detector; null where its defaults hold. */
  ruleOf(detector: string): { readonly id: number; readonly rule: DetectorRule } | null;
}

/**
 * What holds for a run. Of the rules on one detector the one of the narrowest scope says all of it (run, then cluster, then everybody): what it leaves out is the detector's
 * default and not what a wider rule says, so that one rule tells the whole. Thresholds on metrics hold beside each other.
 */
export function rulesInForce(rules: readonly StoredRule[], asked: RuleQuestion): RulesInForce {
  const byDetector = new Map<string, { readonly id: number; readonly rule: DetectorRule }>();
  const metricRules: { readonly id: number; readonly rule: MetricRule }[] = [];
  for (const { id, rule } of rules) {
    if (!appliesTo(rule.scope, asked) || (rule.untilMs !== null && rule.untilMs <= asked.nowMs)) continue;
    if (rule.kind === "metric") {
      if (rule.enabled) metricRules.push({ id, rule });
      continue;
    }
    const held = byDetector.get(rule.detector);
    if (held === undefined || narrowness(rule.scope) > narrowness(held.rule.scope)) byDetector.set(rule.detector, { id, rule });
  }
  return {
    parameters: Object.fromEntries(
      [...byDetector].flatMap(([detector, { rule }]) => (Object.keys(rule.parameters).length === 0 ? [] : [[detector, rule.parameters]])),
    ),
    isEnabled: (detector) => byDetector.get(detector)?.rule.enabled ?? true,
    severityOf: (detector, severity) => (severity === "info" ? severity : (byDetector.get(detector)?.rule.severity ?? severity)),
    metricRules,
    ruleOf: (detector) => byDetector.get(detector) ?? null,
  };
}

/** Whether something of this scope is for that run or cluster. */
export function appliesTo(scope: RuleScope, { runId, cluster }: Pick<RuleQuestion, "runId" | "cluster">): boolean {
  return (scope.runId === null || scope.runId === runId) && (scope.cluster === null || scope.cluster === cluster);
}

function narrowness({ runId, cluster }: RuleScope): number {
  return runId !== null ? 2 : cluster !== null ? 1 : 0;
}

export function isSameScope(a: RuleScope, b: RuleScope): boolean {
  return a.runId === b.runId && a.cluster === b.cluster;
}

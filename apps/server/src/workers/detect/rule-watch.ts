import { metricRuleDetector, ruleSchema, type Finding, type MetricRule } from "@trainwatch/core";
import {
  createMetricRule,
  createRankMean,
  monitorOf,
  type AttemptMonitor,
  type MonitorContext,
  type RankSample,
  type RankState,
} from "@trainwatch/detect";

export interface NamedMetricRule {
  readonly id: number;
  readonly rule: MetricRule;
}

/** Thresholds that people have set on metrics, over one attempt; ranks are one series, as for the detectors of the run. */
export interface RuleWatch {
  observe(samples: readonly RankSample[]): readonly Finding[];
  /** What they would say if the attempt ended here. */
  conclude(): readonly Finding[];
  /** What rules that were changed or deleted had open: nobody watches it any more, so it does not go on. Once. */
  takeRetired(): readonly Finding[];
  state(): unknown;
  coverage(): ReturnType<AttemptMonitor["coverage"]>;
}

interface RuleState {
  /** By rule: what it was when the state was made. Under another text it begins anew. */
  readonly texts: Readonly<Record<string, string>>;
  readonly ranks: RankState;
  readonly monitor: { readonly detectors: Readonly<Record<string, unknown>> };
}

export function ruleMetrics(rules: readonly NamedMetricRule[]): readonly string[] {
  return [...new Set(rules.map(({ rule }) => rule.metric))].sort();
}

export function createRuleWatch(context: MonitorContext, rules: readonly NamedMetricRule[], stored: unknown): RuleWatch {
  const entries = rules.map(({ id, rule }) => createMetricRule({ ...rule, id: metricRuleDetector(id) }));
  const texts = Object.fromEntries(rules.map(({ id, rule }) => [metricRuleDetector(id), JSON.stringify(rule)]));
  const metrics = new Set(ruleMetrics(rules));
  const from = isRuleState(stored) ? stored : { texts: {}, ranks: {}, monitor: { detectors: {} } };
  const kept = Object.entries(from.monitor.detectors).filter(([id]) => from.texts[id] === texts[id]);
  const monitor = monitorOf(entries, context, { detectors: Object.fromEntries(kept) });
  let retired = retiredOf(context, from, texts);
  const mean = createRankMean(Object.fromEntries(Object.entries(from.ranks).filter(([metric]) => metrics.has(metric))));
  return {
    observe: (samples) => (metrics.size === 0 ? [] : monitor.observe(mean.observe(samples.filter(({ metric }) => metrics.has(metric))))),
    conclude() {
      if (metrics.size === 0) return [];
      const copy = monitorOf(entries, context, monitor.state());
      return [...copy.observe(mean.open()), ...copy.finish()];
    },
    takeRetired() {
      const taken = retired;
      retired = [];
      return taken;
    },
    state: () => ({ texts, ranks: mean.state(), monitor: monitor.state() }),
    coverage: () => monitor.coverage(),
  };
}

function retiredOf(context: MonitorContext, { texts, monitor }: RuleState, now: Readonly<Record<string, string>>): readonly Finding[] {
  return Object.entries(texts).flatMap(([id, text]) => {
    const { data: rule } = ruleSchema.safeParse(text === now[id] ? null : JSON.parse(text));
    if (rule?.kind !== "metric") return [];
    const entry = createMetricRule({ ...rule, id });
    const open = monitorOf([entry], context, { detectors: { [id]: monitor.detectors[id] } }).finish();
    return open.map((finding) => ({
      ...finding,
      state: "recovered" as const,
      endStep: finding.endStep ?? finding.peakStep ?? finding.detectedStep,
      summary: `${finding.summary} The rule was changed or deleted since.`,
    }));
  });
}

function isRuleState(stored: unknown): stored is RuleState {
  return typeof stored === "object" && stored !== null && "texts" in stored && "ranks" in stored && "monitor" in stored;
}

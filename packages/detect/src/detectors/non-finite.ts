import { metricEntry, metricWords, sayInteger } from "@trainwatch/core";
import type { Evidence, Finding, Sample, Severity } from "@trainwatch/core";
import type { DetectorEntry, DetectorInstance, DetectorParameter, MonitorContext } from "../contract.ts";
import { evidence, makeFinding } from "../finding/make-finding.ts";
import { restoreState, storeState } from "../json-state.ts";
import { extendBand, isWorthTelling, openBand } from "../non-finite/band.ts";
import type { Band } from "../non-finite/band.ts";
import { overridesOf, parametersOf } from "../parameters.ts";
import type { ParameterValues } from "../parameters.ts";
import { admit, newStepOrder } from "../series/step-order.ts";
import type { StepOrder } from "../series/step-order.ts";

const ID = "non-finite";
const VERSION = 2;
const METRICS = ["loss", "grad_norm", "update_norm", "param_norm"] as const;
type Watched = (typeof METRICS)[number];

const PARAMETERS = [
  {
    name: "finite_again",
    value: 8,
    unit: "logged points",
    meaning: "Finite values in a row after which the series counts as finite again",
  },
  {
    name: "forget",
    value: 100,
    unit: "logged points",
    meaning: "Finite values after which the next non-finite one is a new matter",
  },
  {
    name: "opening",
    value: 8,
    unit: "logged points",
    meaning: "Infinite norms in a row that fp16 scaling may need to find its scale",
  },
  // torch.amp and DeepSpeed stop at 1. Only a scale that has moved is dynamic: bf16 runs log a constant 1, and that is no floor.
  { name: "scale_floor", value: 1, unit: "", meaning: "Loss scale at which an overflow pages, of a scale that has moved" },
] as const satisfies readonly DetectorParameter[];
type Rules = ParameterValues<typeof PARAMETERS>;

interface Track {
  order: StepOrder;
  lastFinite: number | null;
  lastFiniteStep: number | null;
  band: Band | null;
}

interface NonFiniteState {
  tracks: Record<Watched, Track>;
  scale: { last: number | null; fell: boolean; moved: boolean };
  seen: boolean;
}

const newTrack = (): Track => ({ order: newStepOrder(), lastFinite: null, lastFiniteStep: null, band: null });
const fresh = (): NonFiniteState => ({
  tracks: { loss: newTrack(), grad_norm: newTrack(), update_norm: newTrack(), param_norm: newTrack() },
  scale: { last: null, fell: false, moved: false },
  seen: false,
});
const isWatched = (metric: string): metric is Watched => METRICS.some((name) => name === metric);

/** The run's context, the rules in force and the state they work on. */
interface Watching {
  readonly context: MonitorContext;
  readonly rules: Rules;
  readonly state: NonFiniteState;
}

function create(context: MonitorContext, stored?: unknown): DetectorInstance {
  const entry = { id: ID, parameters: PARAMETERS };
  const overrides = overridesOf(entry, context);
  const state = restoreState(stored, VERSION, fresh, overrides);
  const watching: Watching = { context, rules: parametersOf(entry, context), state };
  return {
    observe: (sample) => observe(watching, sample),
    finish: () =>
      METRICS.flatMap((metric) => {
        const band = state.tracks[metric].band;
        return band === null ? [] : [finding(watching, metric, band)];
      }),
    state: () => storeState(VERSION, state, overrides),
    coverage: () => (state.seen ? { sees: true, why: null } : { sees: false, why: "neither a loss nor a norm is logged" }),
  };
}

function observe(watching: Watching, sample: Sample): readonly Finding[] {
  const { state } = watching;
  if (sample.metric === "loss_scale") return noteScale(watching, sample.value);
  if (!isWatched(sample.metric)) return [];
  state.seen = true;
  const track = state.tracks[sample.metric];
  if (admit(track.order, sample.step) === "late") return [];
  return Number.isFinite(sample.value) ? finite(watching, sample.metric, track, sample) : nonFinite(watching, sample.metric, track, sample);
}

function nonFinite(watching: Watching, metric: Watched, track: Track, sample: Sample): readonly Finding[] {
  const { state, rules } = watching;
  const before = track.band === null ? null : severityOf(rules, state, metric, track.band);
  if (track.band === null) track.band = openBand(sample.step, sample.timeMs, sample.value, track.lastFiniteStep, track.lastFinite);
  else extendBand(track.band, sample.step, sample.value);
  track.band.scaleFell ||= state.scale.fell;
  track.band.scaleAtFloor ||= isAtFloor(rules, state);
  const worse = before !== severityOf(rules, state, metric, track.band);
  return worse || track.band.run === 1 || isWorthTelling(track.band.count) ? [finding(watching, metric, track.band)] : [];
}

function finite(watching: Watching, metric: Watched, track: Track, sample: Sample): readonly Finding[] {
  track.lastFinite = sample.value;
  track.lastFiniteStep = sample.step;
  const band = track.band;
  if (band === null) return [];
  band.finiteSince++;
  const told = band.finiteSince === 1 || band.finiteSince === watching.rules.finite_again ? [finding(watching, metric, band)] : [];
  if (band.finiteSince >= watching.rules.forget) track.band = null;
  return told;
}

/** A scale that has fallen says that the step was skipped; one at its floor, that skipping no longer helps. */
function noteScale(watching: Watching, scale: number): readonly Finding[] {
  const { state, rules } = watching;
  if (!Number.isFinite(scale)) return [];
  state.scale.fell = state.scale.last !== null && scale < state.scale.last;
  state.scale.moved ||= state.scale.last !== null && scale !== state.scale.last;
  state.scale.last = scale;
  const changed: Finding[] = [];
  for (const metric of METRICS) {
    const band = state.tracks[metric].band;
    if (band === null || band.finiteSince > 1) continue;
    const before = severityOf(rules, state, metric, band);
    band.scaleFell ||= state.scale.fell;
    band.scaleAtFloor ||= isAtFloor(rules, state);
    if (severityOf(rules, state, metric, band) !== before) changed.push(finding(watching, metric, band));
  }
  return changed;
}

function isAtFloor(rules: Rules, { scale }: NonFiniteState): boolean {
  return scale.moved && scale.last !== null && scale.last <= rules.scale_floor;
}

/**
 * Non-finite on two steps pages (detection.md A.4). A norm that is infinite on a step that fp16 loss scaling skips is a note until it repeats
 * or the scale is at its floor; so are the overflows with which such training begins.
 */
function severityOf(rules: Rules, state: NonFiniteState, metric: Watched, band: Band): Severity {
  if (metric === "loss") return band.count >= 2 ? "critical" : "warning";
  if (band.scaleAtFloor) return "critical";
  const overflows = band.notANumber === 0 && state.tracks.loss.band === null;
  const opening = overflows && !band.hadFinite && band.longestRun === band.count;
  if ((opening || (overflows && band.scaleFell)) && band.longestRun <= rules.opening) return "info";
  if (band.longestRun >= 2) return "critical";
  if (band.count >= 2) return "warning";
  return overflows ? "info" : "warning";
}

function finding({ context, rules, state }: Watching, metric: Watched, band: Band): Finding {
  const title = metricEntry(metric)?.title ?? metric;
  const over = band.finiteSince > 0;
  const span =
    band.firstStep === band.lastStep
      ? `at step ${sayInteger(band.firstStep)}`
      : `from step ${sayInteger(band.firstStep)} to ${sayInteger(band.lastStep)}`;
  return makeFinding({ id: ID, version: VERSION }, context, {
    metric,
    severity: severityOf(rules, state, metric, band),
    state: band.finiteSince >= rules.finite_again ? "recovered" : "non-finite",
    onsetStep: band.firstStep,
    onsetLowerStep: band.lowerStep,
    onsetTimeMs: band.firstTimeMs,
    detectedStep: band.firstStep,
    detectedTimeMs: band.firstTimeMs,
    peakStep: band.firstStep,
    endStep: over ? band.lastStep : null,
    shape: band.count === 1 && over ? "point" : "jump",
    peakValue: band.notANumber > 0 ? Number.NaN : Number.POSITIVE_INFINITY,
    baselineValue: band.lastFinite,
    levelShift: null,
    summary: `${title} non-finite ${span}: ${sayInteger(band.count)} ${band.count === 1 ? "value" : "values"}, ${over ? "finite again since" : "and still so"}.`,
    evidence: bandEvidence(state, metric, band),
    facts: [
      { fact: "non-finite", value: band.count },
      ...(band.scaleAtFloor ? [{ fact: "loss-scale-collapsed" as const, value: state.scale.last }] : []),
    ],
  });
}

function bandEvidence(state: NonFiniteState, metric: Watched, band: Band): Evidence[] {
  const infinite = band.count - band.notANumber;
  const list = [
    evidence(
      "for",
      `${sayInteger(band.notANumber)} NaN and ${sayInteger(infinite)} infinite values, at most ${sayInteger(band.longestRun)} in a row`,
      band.count,
      "points",
      metric,
    ),
  ];
  if (band.lastFinite !== null)
    list.push(
      evidence(
        "neutral",
        `The last finite value before was ${metricWords(metric, [band.lastFinite]).value(band.lastFinite)}`,
        band.lastFinite,
        null,
        metric,
      ),
    );
  if (band.scaleAtFloor)
    list.push(evidence("for", "The loss scale stands at its floor: skipping steps no longer helps", state.scale.last, null, "loss_scale"));
  if (band.scaleFell)
    list.push(
      evidence(
        "against",
        "The loss scale fell with it: fp16 loss scaling skipped the step, the weights did not take it",
        state.scale.last,
        null,
        "loss_scale",
      ),
    );
  if (band.finiteWithin + band.finiteSince > 0)
    list.push(
      evidence(
        "against",
        `${sayInteger(band.finiteWithin + band.finiteSince)} finite values came after the first`,
        band.finiteWithin + band.finiteSince,
        "points",
        metric,
      ),
    );
  if (metric !== "loss" && state.tracks.loss.lastFinite !== null && state.tracks.loss.band === null)
    list.push(evidence("against", "The loss stayed finite", state.tracks.loss.lastFinite, null, "loss"));
  if (metric === "loss" && state.tracks.grad_norm.lastFiniteStep !== null && state.tracks.grad_norm.band === null)
    list.push(
      evidence(
        "against",
        "The gradient norm stayed finite: the logger may be at fault",
        state.tracks.grad_norm.lastFinite,
        null,
        "grad_norm",
      ),
    );
  if (list.every((item) => item.weight !== "against")) list.push(evidence("against", "Nothing logged speaks against it so far"));
  return list;
}

export const nonFiniteValues = {
  id: ID,
  version: VERSION,
  title: "Non-finite values",
  finds: "NaN or infinite loss or norms: the band from the first to the last step, with their count.",
  source:
    "detection.md A.4: page for a non-finite loss or norm on two steps; fp16 loss scaling (Micikevicius et al. 2018) overflows on purpose",
  metrics: [...METRICS, "loss_scale"],
  parameters: PARAMETERS,
  create,
} satisfies DetectorEntry;

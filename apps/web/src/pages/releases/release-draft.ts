import {
  CORRECTIONS,
  MOST_CANDIDATES,
  releaseSpecSchema,
  type Correction,
  type ReleaseDetail,
  type ReleaseSpecInput,
  type ScorecardSummary,
} from "@trainwatch/core";
import { formatInteger } from "@trainwatch/ui";

export { CORRECTIONS };

export const CORRECTION_LABELS = {
  holm: "Holm: no false verdict at all",
  "benjamini-hochberg": "Benjamini–Hochberg: few of the verdicts false",
} as const satisfies Record<Correction, string>;

/** A scorecard that was chosen, with the words it is known by. */
export interface Chosen {
  readonly scorecardId: number;
  readonly label: string;
}

/** A comparison as it is being written; numbers and lists are text until they are sent. */
export interface ReleaseDraft {
  readonly name: string;
  readonly baseline: Chosen | null;
  readonly candidates: readonly Chosen[];
  readonly correction: Correction;
  /** In per cent. */
  readonly level: string;
  /** In per cent of the scale. */
  readonly margin: string;
  /** By comma. */
  readonly signers: string;
}

export interface DraftProps {
  readonly draft: ReleaseDraft;
  readonly onChange: (draft: ReleaseDraft) => void;
}

export const NEW_DRAFT: ReleaseDraft = {
  name: "",
  baseline: null,
  candidates: [],
  correction: "holm",
  level: "95",
  margin: "1",
  signers: "Owner",
};

export function scorecardLabel({ model, run, step }: Pick<ScorecardSummary, "model" | "run" | "step">): string {
  if (run !== null && step !== null) return `${run.project}/${run.name}, step ${formatInteger(step)}`;
  return step === null ? model : `${model}, step ${formatInteger(step)}`;
}

export function draftOfRelease({ spec, comparison }: ReleaseDetail): ReleaseDraft {
  const [baseline, ...candidates] = comparison.columns.map((column) => ({
    scorecardId: column.scorecardId,
    label: scorecardLabel(column),
  }));
  return {
    name: spec.name,
    baseline: baseline ?? null,
    candidates,
    correction: spec.correction,
    level: percent(spec.level),
    margin: percent(spec.margin),
    signers: spec.signers.join(", "),
  };
}

function percent(share: number): string {
  return String(Number((share * 100).toPrecision(10)));
}

/** Pressed once it is a candidate, pressed again it is none; the baseline cannot be a candidate too. */
export function toggleCandidate(draft: ReleaseDraft, chosen: Chosen): ReleaseDraft {
  const isIn = draft.candidates.some(({ scorecardId }) => scorecardId === chosen.scorecardId);
  return {
    ...draft,
    baseline: draft.baseline?.scorecardId === chosen.scorecardId ? null : draft.baseline,
    candidates: isIn ? draft.candidates.filter(({ scorecardId }) => scorecardId !== chosen.scorecardId) : [...draft.candidates, chosen],
  };
}

export function chooseBaseline(draft: ReleaseDraft, chosen: Chosen): ReleaseDraft {
  return {
    ...draft,
    baseline: draft.baseline?.scorecardId === chosen.scorecardId ? null : chosen,
    candidates: draft.candidates.filter(({ scorecardId }) => scorecardId !== chosen.scorecardId),
  };
}

export type SpecAnswer = { readonly spec: ReleaseSpecInput; readonly fault: null } | { readonly spec: null; readonly fault: string };

/** What a draft says, or what it lacks first. */
export function specOf(draft: ReleaseDraft): SpecAnswer {
  const lack = (fault: string): SpecAnswer => ({ spec: null, fault });
  if (draft.name.trim() === "") return lack("A name is missing");
  if (draft.baseline === null) return lack("A baseline is missing");
  if (draft.candidates.length === 0) return lack("A candidate is missing");
  if (draft.candidates.length > MOST_CANDIDATES) return lack(`At most ${MOST_CANDIDATES} candidates`);
  const level = Number(draft.level);
  if (!(level >= 80 && level <= 99.9)) return lack("A confidence from 80 to 99.9 %");
  const margin = Number(draft.margin);
  if (!(margin > 0 && margin <= 100)) return lack("A margin above 0, up to 100 % of the scale");
  const signers = [
    ...new Set(
      draft.signers
        .split(",")
        .map((role) => role.trim())
        .filter((role) => role !== ""),
    ),
  ];
  if (signers.length === 0) return lack("Who signs is missing");
  const spec: ReleaseSpecInput = {
    name: draft.name.trim(),
    baselineId: draft.baseline.scorecardId,
    candidateIds: draft.candidates.map(({ scorecardId }) => scorecardId),
    correction: draft.correction,
    level: level / 100,
    margin: margin / 100,
    signers,
  };
  const checked = releaseSpecSchema.safeParse(spec);
  return checked.success ? { spec, fault: null } : lack(checked.error.issues[0]?.message ?? "Not a comparison");
}

import type { Finding, Sample } from "@trainwatch/core";

export interface MonitorContext {
  /** `project/name`. */
  readonly run: string;
  /** Name of the attempt, `a1`. */
  readonly attempt: string;
  /** Known optimizer steps between logged points, if the source says so. */
  readonly logEvery?: number;
  /** Parameters that differ from the entries' defaults: by detector, then by name. */
  readonly parameters?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** One detector over one attempt. Deterministic; no clock, no randomness; state is JSON-safe. */
export interface DetectorInstance {
  /** Takes one sample in arrival order; returns findings that are new or have changed (upsert by id). */
  observe(sample: Sample): readonly Finding[];
  /** The attempt has ended or its log is at its end: close what can be closed. */
  finish(): readonly Finding[];
  state(): unknown;
  /**
   * Whether the detector can see: false with the reason, such as "no gradient norm is logged". Null where such a run is not its concern: it is not
   * blind there, and a list of what is unseen would drown in it.
   */
  coverage(): { readonly sees: boolean; readonly why: string | null } | null;
}

/** One number of a detector that a rule may override. */
export interface DetectorParameter {
  readonly name: string;
  /** Default. */
  readonly value: number;
  readonly unit: string;
  readonly meaning: string;
  /** Bounds of an override, both included. Without them it must be finite, and above zero where the default is. */
  readonly least?: number;
  readonly most?: number;
}

export interface DetectorEntry {
  readonly id: string;
  readonly version: number;
  readonly title: string;
  /** What it finds, in one sentence. */
  readonly finds: string;
  /** Paper, section or measurement the rule rests on. */
  readonly source: string;
  /** Canonical metrics it reads; `eval/*` is every metric whose name begins with `eval/`. */
  readonly metrics: readonly string[];
  /** Each is honoured: `parametersOf` gives what is in force. */
  readonly parameters: readonly DetectorParameter[];
  create(context: MonitorContext, state?: unknown): DetectorInstance;
}

/** All detectors over one attempt: what `inspect` and the detect worker drive. */
export interface AttemptMonitor {
  observe(samples: readonly Sample[]): readonly Finding[];
  finish(): readonly Finding[];
  /** JSON-safe; restoring it and going on equals never having stopped. */
  state(): unknown;
  coverage(): readonly { readonly detector: string; readonly sees: boolean; readonly why: string | null }[];
}
// index.ts exports: createMonitor(context: MonitorContext, state?: unknown): AttemptMonitor, and DETECTORS: readonly DetectorEntry[]

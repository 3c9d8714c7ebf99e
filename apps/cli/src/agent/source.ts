import type { FleetEvent, FrameDictionary, FrameRow, PushInput } from "@trainwatch/core";
import type { z } from "zod";
import type { AgentClock } from "./clock.ts";
import type { HttpClient } from "./http/request.ts";
import type { NodeIdentity } from "./node-identity.ts";

/** Series that were read together, with what was read at one or more times. */
export interface ReadingBatch {
  readonly dictionary: FrameDictionary;
  /** Their `dictionary` is 0. */
  readonly rows: readonly FrameRow[];
  readonly count: number;
}

/** A push whose `source` and `seq` are the agent's own, unless it names others that follow from its content. */
export type OutgoingPush = Omit<PushInput, "source" | "seq"> & Partial<Pick<PushInput, "source" | "seq">>;

/** What a source gives in one go. */
export interface SourceOutput {
  readonly readings?: readonly ReadingBatch[];
  readonly events?: readonly FleetEvent[];
  readonly pushes?: readonly OutgoingPush[];
  /** Where the source stands after it, as JSON; kept with its events and pushes, so that a crash brings neither back alone. */
  readonly state?: unknown;
}

/** What a source has in its hands. */
export interface SourceWorld {
  /** Of this source in the configuration, unique. */
  readonly name: string;
  readonly node: NodeIdentity;
  readonly clock: AgentClock;
  readonly http: HttpClient;
  /** Resolves once it is on the disk. @throws AppError `unavailable` where it was not taken: the source stays where it was */
  take(output: SourceOutput): Promise<void>;
  /** The newest state that was taken, also before a restart; undefined where none was. */
  state(): unknown;
  /** One line on standard error. */
  say(line: string): void;
}

export interface Source {
  /**
   * Reads what there is now. Called every interval, never twice at a time.
   * @throws AppError where the source fails: counted, and told after three in a row
   */
  collect(stop: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** A source of the configuration, ready to be opened. */
export interface ConfiguredSource {
  readonly kind: string;
  readonly name: string;
  readonly everyMs: number;
  open(world: SourceWorld): Source;
}

export interface SourceDefinition<Options extends SourceOptions> {
  readonly kind: string;
  /** One sentence for the manual. */
  readonly title: string;
  readonly options: z.ZodType<Options>;
  create(options: Options, world: SourceWorld): Source;
}

/** Keys that every source has. */
export interface SourceOptions {
  readonly kind: string;
  readonly name: string;
  readonly every: number;
}

import type { FleetSummary } from "@trainwatch/core";
import type { FleetSeriesInfo, StoredAssignment } from "@trainwatch/store";
import type { CoverageColumns } from "./coverage-columns.ts";
import type { LayoutCore } from "./layout-core.ts";

/** What a process keeps of the fleet between requests: who is where, and which series there are. Bounded, and dropped when either has changed. */
export interface FleetViews {
  /** A verb has just changed who is where or who may be used: the next layout is read anew, where it may else be some seconds old. */
  changed(): void;
  layout(atMs: number): Promise<LayoutCore>;
  /** All series of a metric, at most 524,288. */
  series(metric: string): Promise<readonly FleetSeriesInfo[]>;
  /** How well signals are seen on the nodes of a layout; of the present some 30 s old at most. */
  coverage(layout: LayoutCore, atMs: number): Promise<CoverageColumns>;
  /** The fleet now, in one line. At most 10 s old; whoever asks while a new one is made gets the one before. */
  summary(): Promise<FleetSummary | null>;
  /** Epoch ms of the newest reading of any series up to now; see `FleetReader.newestAtMs`. Some seconds old at most. */
  newestAtMs(): Promise<number | null>;
  /** What sources have told of ranks. */
  assignments(): Promise<readonly StoredAssignment[]>;
  /** How many series there are of each metric; may be some seconds old. */
  metrics(): Promise<ReadonlyMap<string, number>>;
}

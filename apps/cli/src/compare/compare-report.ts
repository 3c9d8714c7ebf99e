import type { ReleaseComparison } from "@trainwatch/core";
import type { Skipped } from "./not-read.ts";
import type { ReadColumns } from "./read-columns.ts";
import type { ModelTrend } from "./trends.ts";

type Read = Pick<ReadColumns, "by" | "files" | "notes"> & { readonly skipped: Skipped };
type Faults = readonly { readonly code: string; readonly message: string }[];

/** What both reports say of the files: fields may be added, never renamed. */
interface ReportHead {
  readonly version: 1;
  /** What the columns stand for. */
  readonly by: ReadColumns["by"];
  readonly inputs: readonly {
    readonly path: string;
    readonly format: string;
    readonly measures: number;
    readonly samples: number;
    readonly pairs: number;
    readonly checkpoints: number;
    readonly issues: readonly { readonly line: number | null; readonly code: string; readonly message: string }[];
    readonly issuesTotal: number;
  }[];
  /** What the files say twice and counts once, in sentences. */
  readonly notes: readonly string[];
  /** Files of a walked directory that are no evaluation. */
  readonly skipped: Skipped;
  readonly faults: Faults;
}

/** The object that `compare --json` prints. */
export interface CompareReport extends ReportHead {
  readonly comparison: ReleaseComparison;
}

/** The object that `compare --trend --json` prints. */
export interface TrendReport extends ReportHead {
  readonly trends: readonly ModelTrend[];
}

export function compareReport(read: Read, comparison: ReleaseComparison, faults: Faults): CompareReport {
  return { ...headOf(read, faults), comparison };
}

export function trendReport(read: Read, trends: readonly ModelTrend[], faults: Faults): TrendReport {
  return { ...headOf(read, faults), trends };
}

function headOf({ by, files, notes, skipped }: Read, faults: Faults): ReportHead {
  return {
    version: 1,
    by,
    inputs: files.map(({ path, format, measures, samples, pairs, checkpoints, issues }) => ({
      path,
      format,
      measures,
      samples,
      pairs,
      checkpoints,
      issues: issues.listed,
      issuesTotal: issues.total,
    })),
    notes,
    skipped,
    faults,
  };
}

import type { ReleaseComparison, TrendView } from "@trainwatch/core";
import type { ReadColumns } from "./read-columns.ts";

type Read = Pick<ReadColumns, "by" | "files">;
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
  readonly faults: Faults;
}

/** The object that `compare --json` prints. */
export interface CompareReport extends ReportHead {
  readonly comparison: ReleaseComparison;
}

/** The object that `compare --trend --json` prints. */
export interface TrendReport extends ReportHead {
  readonly trends: readonly TrendView[];
}

export function compareReport(read: Read, comparison: ReleaseComparison, faults: Faults): CompareReport {
  return { ...headOf(read, faults), comparison };
}

export function trendReport(read: Read, trends: readonly TrendView[], faults: Faults): TrendReport {
  return { ...headOf(read, faults), trends };
}

function headOf({ by, files }: Read, faults: Faults): ReportHead {
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
    faults,
  };
}

import type { LogRecord } from "@trainwatch/core";
import type { RunName } from "./run-name.ts";

/** The label by which a file that holds several runs tells them apart: a `run` column, a chart exported with several runs. */
const RUN_LABEL = "run";
/** A column that is new on every line must not fill memory; what follows stays one run with the label on its series. */
const MAX_RUNS = 1_000;

export interface RoutedRecord {
  readonly run: RunName;
  /** Without the label that named the run. */
  readonly record: LogRecord;
}

/**
 * Sends the records of one file to the runs that they belong to. A file without run labels is one run. With labels each is a run of that
 * name; where the user has named the run, the first label is that run and each further one `name/label`.
 */
export class RunSplitter {
  private readonly home: RunName;
  private readonly isNamed: boolean;
  private readonly labelled = new Map<string, RunName>();
  private current: RunName;

  /** @param isNamed the user has said what the run is called */
  constructor(home: RunName, isNamed: boolean) {
    this.home = { project: home.project, name: home.name };
    this.isNamed = isNamed;
    this.current = this.home;
  }

  route(record: LogRecord): RoutedRecord {
    // A checkpoint or a launch belongs to the run whose points came last.
    if (record.kind !== "points") return { run: this.current, record };
    const { [RUN_LABEL]: label, ...labels } = record.labels;
    if (label === undefined || (this.labelled.size >= MAX_RUNS && !this.labelled.has(label))) {
      this.current = this.home;
      return { run: this.home, record };
    }
    this.current = this.runOf(label);
    return { run: this.current, record: { ...record, labels } };
  }

  private runOf(label: string): RunName {
    const held = this.labelled.get(label);
    if (held !== undefined) return held;
    const { project, name } = this.home;
    const own = this.isNamed ? (this.labelled.size === 0 ? this.home : { project, name: `${name}/${label}` }) : { project, name: label };
    this.labelled.set(label, own);
    return own;
  }
}

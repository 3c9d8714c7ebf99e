import type { RunName } from "../inputs/run-name.ts";
import type { RoutedRecord } from "../inputs/run-splitter.ts";
import { RunRecorder } from "./run-recorder.ts";

export interface InspectedRun extends RunName {
  readonly recorder: RunRecorder;
}

/** The runs of one file, or of the files that make one run: most hold one. */
export class RecorderSet {
  private readonly runs = new Map<string, InspectedRun>();
  private newest: InspectedRun | null = null;

  accept({ run, record }: RoutedRecord): void {
    const held = this.newest !== null && this.newest.name === run.name ? this.newest : this.runOf(run);
    this.newest = held;
    held.recorder.accept(record);
  }

  beginInput(): void {
    for (const { recorder } of this.runs.values()) recorder.beginInput();
  }

  endOfInput(): void {
    for (const { recorder } of this.runs.values()) recorder.endOfInput();
  }

  /** Runs that hold points, in the order in which they came. */
  finish(): readonly InspectedRun[] {
    const withPoints = [...this.runs.values()].filter(({ recorder }) => {
      recorder.finish();
      return recorder.metrics().length > 0;
    });
    return withPoints;
  }

  private runOf({ project, name }: RunName): InspectedRun {
    const held = this.runs.get(name);
    if (held !== undefined) return held;
    const fresh: InspectedRun = { project, name, recorder: new RunRecorder(`${project}/${name}`) };
    this.runs.set(name, fresh);
    return fresh;
  }
}

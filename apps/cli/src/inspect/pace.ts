/** Medians over so many newest points forget a checkpoint pause and follow a change of speed. */
const REMEMBERED = 101;

/** How fast an attempt goes and how often it logs, from the points of the metric that comes first. */
export class Pace {
  private metric: string | null = null;
  private lastStep: number | null = null;
  private lastTimeMs: number | null = null;
  private readonly stepsPerPoint = new Ring();
  private readonly secondsPerStep = new Ring();
  private readonly toldStepTimeS = new Ring();

  observe(metric: string, step: number, timeMs: number | null, value: number): void {
    if (metric === "step_time" && value > 0 && Number.isFinite(value)) this.toldStepTimeS.push(value);
    this.metric ??= metric;
    if (metric !== this.metric) return;
    if (this.lastStep !== null && step > this.lastStep) {
      const steps = step - this.lastStep;
      this.stepsPerPoint.push(steps);
      if (this.lastTimeMs !== null && timeMs !== null && timeMs > this.lastTimeMs)
        this.secondsPerStep.push((timeMs - this.lastTimeMs) / 1_000 / steps);
    }
    this.lastStep = step;
    this.lastTimeMs = timeMs;
  }

  /** Median steps between logged points; 1 before two came. */
  logEvery(): number {
    return this.stepsPerPoint.median() ?? 1;
  }

  /** Median seconds an optimizer step; null where neither times nor step times are known. */
  stepTimeS(): number | null {
    return this.secondsPerStep.median() ?? this.toldStepTimeS.median();
  }
}

class Ring {
  private readonly values: number[] = [];
  private next = 0;

  push(value: number): void {
    this.values[this.next] = value;
    this.next = (this.next + 1) % REMEMBERED;
  }

  /** The lower of the two middle values where their number is even: a whole number of steps stays one. */
  median(): number | null {
    const sorted = [...this.values].sort((a, b) => a - b);
    return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
  }
}

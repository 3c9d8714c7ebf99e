import type { JobPhase } from "./job-phase.ts";

/** What a job asks of its nodes at a time. All but `heat` are shares of what training at full speed asks. */
export interface Load {
  readonly kind: JobPhase["kind"];
  /** Share of time in which a kernel runs: what GPU utilisation counts, even while it only waits for its peers. */
  readonly busy: number;
  /** Arithmetic: power and tensor activity. */
  readonly compute: number;
  /** Traffic between the GPUs of a node, and between nodes. */
  readonly link: number;
  readonly net: number;
  /** Traffic to the host's memory. */
  readonly host: number;
  /** `compute` as a heat sink has it, half a minute behind. */
  readonly heat: number;
}

/** Seconds of full load since the job's first start. */
export interface Work {
  readonly compute: number;
  readonly net: number;
  readonly busy: number;
}

export interface LoadCurve {
  at(timeMs: number): Load;
  /** Never falls. */
  work(timeMs: number): Work;
}

const HEAT_S = 35;
const IDLE = { busy: 0, compute: 0, link: 0, net: 0, host: 0.02 } as const;

function levelsOf({ kind, pace }: JobPhase): Omit<Load, "kind" | "heat"> {
  switch (kind) {
    case "idle":
      return IDLE;
    case "training":
      // Those that wait for a slow peer spin: the GPU is busy and calculates little.
      return { busy: 1, compute: 0.3 + 0.7 * pace, link: pace, net: pace, host: 0.2 };
    case "saving":
      return { busy: 0.97, compute: 0.82, link: 0.45, net: 0.6, host: 1 };
    case "hanging":
      return { busy: 1, compute: 0.16, link: 0, net: 0, host: 0.01 };
  }
}

interface Piece extends Omit<Load, "kind"> {
  readonly fromMs: number;
  readonly kind: JobPhase["kind"];
  /** At its start. */
  readonly done: Work;
}

/** @param phases in order of time; taken from as far as is asked for */
export function loadCurve(phases: Iterator<JobPhase, void, undefined>): LoadCurve {
  const pieces: Piece[] = [{ ...IDLE, fromMs: Number.NEGATIVE_INFINITY, kind: "idle", heat: 0, done: { compute: 0, net: 0, busy: 0 } }];
  let isOver = false;

  function pieceAt(timeMs: number): Piece {
    while (!isOver && (pieces.at(-1)?.fromMs ?? 0) <= timeMs) extend();
    let [low, high] = [0, pieces.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((pieces[middle]?.fromMs ?? 0) <= timeMs) low = middle;
      else high = middle - 1;
    }
    const piece = pieces[low];
    if (piece === undefined) throw new Error("a load curve begins before all time");
    return piece;
  }

  function extend(): void {
    const { done, value } = phases.next();
    if (done === true) {
      isOver = true;
      return;
    }
    const last = pieces.at(-1);
    if (last === undefined) return;
    pieces.push({
      ...levelsOf(value),
      kind: value.kind,
      fromMs: value.fromMs,
      heat: heatOf(last, value.fromMs),
      done: workOf(last, value.fromMs),
    });
  }

  return {
    at(timeMs) {
      const piece = pieceAt(timeMs);
      return { ...piece, heat: heatOf(piece, timeMs) };
    },
    work: (timeMs) => workOf(pieceAt(timeMs), timeMs),
  };
}

function heatOf(piece: Piece, timeMs: number): number {
  return piece.compute + (piece.heat - piece.compute) * Math.exp((piece.fromMs - timeMs) / 1000 / HEAT_S);
}

function workOf({ done, fromMs, compute, net, busy }: Piece, timeMs: number): Work {
  if (fromMs === Number.NEGATIVE_INFINITY) return done;
  const seconds = (timeMs - fromMs) / 1000;
  return { compute: done.compute + compute * seconds, net: done.net + net * seconds, busy: done.busy + busy * seconds };
}

import type { FleetFrames } from "@trainwatch/core";
import { useEffect, useState } from "react";
import { useFleetFrames, type FramesQuestion } from "../../data/fleet.ts";

/** A frame is on show for so long: five a second can be followed by eye. */
const FRAME_MS = 200;

export interface Play {
  readonly isPlaying: boolean;
  /** The frame on show; null until the first is there. */
  readonly shown: { readonly frames: FleetFrames; readonly index: number } | null;
  readonly failure: string | null;
  readonly start: (question: FramesQuestion) => void;
  /** Ends it; tells the time that was on show last. */
  readonly stop: () => number | null;
}

/** Plays a window frame by frame; at its end it stays on the last one until it is stopped. */
export function usePlay(): Play {
  const [question, setQuestion] = useState<FramesQuestion | null>(null);
  const [index, setIndex] = useState(0);
  const loaded = useFleetFrames(question);
  const frames = question !== null && loaded.status === "ready" ? loaded.data : null;
  const last = frames === null ? 0 : frames.atMs.length - 1;
  useEffect(() => {
    if (frames === null) return undefined;
    const timer = setInterval(() => setIndex((at) => Math.min(last, at + 1)), FRAME_MS);
    return () => clearInterval(timer);
  }, [frames, last]);
  return {
    isPlaying: question !== null,
    shown: frames === null ? null : { frames, index: Math.min(index, last) },
    failure: question !== null && loaded.status === "failed" ? loaded.failure.message : null,
    start(next) {
      setIndex(0);
      setQuestion(next);
    },
    stop() {
      const atMs = frames?.atMs[Math.min(index, last)] ?? null;
      setQuestion(null);
      return atMs;
    },
  };
}

import type { Sparkline as SparklineData } from "@trainwatch/core";

export interface SparklineProps {
  readonly data: SparklineData;
  /** What is drawn, for a reader: "Loss of llm-405b". */
  readonly label: string;
  readonly widthPx?: number | undefined;
  readonly heightPx?: number | undefined;
  /** Position of the onset among the values, 0 to 1. */
  readonly onsetShare?: number | null | undefined;
  readonly tone?: "plain" | "critical" | "warning" | "info" | undefined;
}

const END = { critical: "var(--crit)", warning: "var(--warn)", info: "var(--info)", plain: "none" } as const;

/** A preview line: gaps break it, an isolated value is a dot, and no value at all is hatched, not empty. */
export function Sparkline({ data, label, widthPx = 128, heightPx = 28, onsetShare, tone = "plain" }: SparklineProps) {
  const finite = data.values.filter((value): value is number => value !== null && Number.isFinite(value));
  if (finite.length === 0) {
    return (
      <span title="no data" className="hatched inline-block h-2.5 align-middle" style={{ width: widthPx }}>
        <span className="sr-only">{label}: no data</span>
      </span>
    );
  }
  const low = Math.min(...finite);
  const high = Math.max(...finite);
  const x = (index: number): number => 1 + (index * (widthPx - 6)) / Math.max(1, data.values.length - 1);
  const y = (value: number): number => (high === low ? heightPx / 2 : heightPx - 3 - ((value - low) / (high - low)) * (heightPx - 6));
  const runs = splitRuns(data.values);
  const last = runs.at(-1)?.at(-1);
  return (
    <svg role="img" aria-label={label} width={widthPx} height={heightPx} className="block">
      {typeof onsetShare === "number" ? (
        <line
          x1={onsetShare * (widthPx - 6)}
          x2={onsetShare * (widthPx - 6)}
          y1="2"
          y2={heightPx - 2}
          stroke="var(--ink-2)"
          strokeDasharray="2 3"
        />
      ) : null}
      {runs.map((run) => {
        const [first] = run;
        if (first === undefined) return null;
        if (run.length === 1) return <circle key={first.index} cx={x(first.index)} cy={y(first.value)} r="1.2" fill="var(--ink)" />;
        const path = run.map((point, at) => `${at === 0 ? "M" : "L"}${x(point.index).toFixed(1)} ${y(point.value).toFixed(1)}`).join("");
        return <path key={first.index} d={path} fill="none" stroke="var(--ink)" strokeLinejoin="round" />;
      })}
      {tone === "plain" || last === undefined ? null : <circle cx={x(last.index)} cy={y(last.value)} r="2.5" fill={END[tone]} />}
    </svg>
  );
}

interface Indexed {
  readonly index: number;
  readonly value: number;
}

function splitRuns(values: readonly (number | null)[]): readonly (readonly Indexed[])[] {
  const runs: Indexed[][] = [];
  let run: Indexed[] = [];
  values.forEach((value, index) => {
    if (value !== null && Number.isFinite(value)) {
      if (run.length === 0) runs.push(run);
      run.push({ index, value });
    } else {
      run = [];
    }
  });
  return runs;
}

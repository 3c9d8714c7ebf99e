import type { ClusterStep, StuckStep } from "./cluster-event.ts";

/**
 * One step as JSON lines, one a rank that has spoken, as each rank's own logger would write them; a number that is not finite is a bare `NaN` or `Infinity`, as Python writes it.
 * `{"attempt": "a1", "step": 7, "rank": 17, "timestamp": 1767600021.5, "loss": 2.3112, "grad_norm": 0.91}`
 */
export function rankLines({ attempt, step, timeMs, ranks }: ClusterStep | StuckStep): string {
  const { columns, silent, clockMs } = ranks;
  let text = "";
  for (let rank = 0; rank < clockMs.length; rank++) {
    if (silent?.[rank] === 1) continue;
    const values = [...columns].map(([metric, column]) => `"${metric}": ${numberText(column[rank] ?? Number.NaN)}`);
    const timestamp = Math.round(timeMs + (clockMs[rank] ?? 0)) / 1000;
    text += `{"attempt": "${attempt}", "step": ${step}, "rank": ${rank}, "timestamp": ${timestamp}, ${values.join(", ")}}\n`;
  }
  return text;
}

function numberText(value: number): string {
  return Number.isFinite(value) && !Number.isInteger(value) ? String(Number(value.toPrecision(8))) : String(value);
}

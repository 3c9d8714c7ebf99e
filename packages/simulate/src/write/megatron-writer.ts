import type { CheckpointEvent, PointEvent, StartEvent } from "../event.ts";
import type { SimulationPlan } from "../plan.ts";
import type { LogWriter } from "./log-writer.ts";

const SEQUENCE_LENGTH = 4_096;

/** Megatron-LM's stdout: a NaN loss is left out of its line and counted at its end (case B3). Times are UTC and say no zone. */
export const megatronWriter = {
  id: "megatron",
  title: "Stdout of Megatron-LM, with its banner at each launch and its lines about checkpoints.",
  write(event, plan) {
    switch (event.kind) {
      case "start":
        return banner(event, plan);
      case "point":
        return iterationLine(event, plan);
      case "checkpoint":
        return checkpointLines(event);
      case "end":
        return event.outcome === "crashed" ? `${stamp(event.timeMs)} [ERROR] training process group exited with code 1\n` : "";
    }
  },
} satisfies LogWriter;

function banner(event: StartEvent, { gpus }: SimulationPlan): string {
  const loaded =
    event.branchStep === null
      ? ""
      : `  successfully loaded checkpoint from checkpoints [ t 1/1, p 1/1 ] at iteration ${event.branchStep}\n`;
  return `using world size: ${gpus}, data-parallel size: ${gpus}, context-parallel size: 1, tensor-model-parallel size: 1, pipeline-model-parallel size: 1\n${loaded}`;
}

function iterationLine({ step, timeMs, nanSteps, values }: PointEvent, plan: SimulationPlan): string {
  const batch = Math.max(1, Math.round(plan.tokensPerStep / SEQUENCE_LENGTH));
  const loss = Number.isFinite(values.loss) ? `lm loss: ${scientific(values.loss)} | ` : "";
  const grad = Number.isFinite(values.grad_norm) ? values.grad_norm.toFixed(3) : "nan";
  const fields = [
    `consumed samples: ${String(step * batch).padStart(12)}`,
    `elapsed time per iteration (ms): ${(values.step_time * 1000).toFixed(1)}`,
    `learning rate: ${scientific(values.learning_rate)}`,
    `global batch size: ${String(batch).padStart(5)}`,
  ];
  const tail = `loss scale: 1.0 | grad norm: ${grad} | actual seqlen: ${SEQUENCE_LENGTH} | number of skipped iterations: ${String(0).padStart(3)} | number of nan iterations: ${String(nanSteps).padStart(3)} |`;
  return ` ${stamp(timeMs)} iteration ${String(step).padStart(8)}/${String(plan.steps).padStart(8)} | ${fields.join(" | ")} | ${loss}${tail}\n`;
}

function checkpointLines({ step, path, state, reason }: CheckpointEvent): string {
  const at = `iteration ${String(step).padStart(7)} to ${path}`;
  const saving = `saving checkpoint at ${at} in torch_dist format\n`;
  return state === "incomplete"
    ? `${saving}ERROR: saving failed: ${reason ?? "unknown"}\n`
    : `${saving}  successfully saved checkpoint from ${at} [ t 1/1, p 1/1 ]\n`;
}

/** `1.200000E-05`, as Python's `:.6E` has it. */
function scientific(value: number): string {
  const [mantissa = "0", exponent = "+0"] = value.toExponential(6).split("e");
  return `${mantissa}E${exponent.startsWith("-") ? "-" : "+"}${exponent.slice(1).padStart(2, "0")}`;
}

/** `[2026-01-05 08:00:04.200000]` */
function stamp(timeMs: number): string {
  return `[${new Date(timeMs).toISOString().replace("T", " ").replace("Z", "")}000]`;
}

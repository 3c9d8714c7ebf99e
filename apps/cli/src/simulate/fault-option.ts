import type { Fault } from "@trainwatch/simulate";
import { z } from "zod";

const step = z.coerce
  .number<string>("the step must be a number")
  .int("the step must be a whole number")
  .min(1, "the step must be at least 1");
const number = z.coerce.number<string>("must be a number");
const whole = number.int("must be a whole number").min(0, "must not be negative");
const factor = number.positive("must be above zero");
const lead = whole.default(0);

/** What may follow `KIND@STEP:`, by kind; names as on the command line. */
const PARAMETERS = {
  spike: z.strictObject({ factor: factor.default(2.4), "half-life": factor.default(12), "grad-lead": lead }),
  "spike-shift": z.strictObject({
    factor: factor.default(2.4),
    "half-life": factor.default(12),
    shift: number.default(0.2),
    "grad-lead": lead,
  }),
  divergence: z.strictObject({ ceiling: factor.default(8), growth: factor.default(30), "grad-lead": lead }),
  ramp: z.strictObject({ "per-step": number.default(0.002), steps: whole.default(300), "grad-lead": lead }),
  nan: z.strictObject({ steps: whole.nullable().default(null) }),
  outlier: z.strictObject({ factor: factor.default(1.6) }),
  slow: z.strictObject({ factor: factor.default(1.4), steps: whole.default(100) }),
  "grad-rise": z.strictObject({ factor: factor.default(5), steps: whole.default(50) }),
  restart: z.strictObject({ "resume-from": whole, downtime: whole.default(600), hang: whole.default(0) }),
} satisfies Record<Fault["kind"], z.ZodType>;

export const FAULT_KINDS = Object.keys(PARAMETERS);

export type ParsedFault = { readonly ok: true; readonly fault: Fault } | { readonly ok: false; readonly message: string };

/** `spike@12000:factor=2.4,half-life=10`. The message of a refusal continues the option's name. */
export function parseFault(text: string): ParsedFault {
  const match = /^([a-z-]+)@([^:]+)(?::(.*))?$/.exec(text);
  if (match === null) return refused(`${JSON.stringify(text)} is not KIND@STEP[:name=value,…]`);
  const [, kind = "", at = "", rest = ""] = match;
  if (!isKind(kind)) return refused(`there is no fault ${JSON.stringify(kind)}; known are ${FAULT_KINDS.join(", ")}`);
  const onset = step.safeParse(at);
  if (!onset.success) return refused(`${kind}: ${onset.error.issues[0]?.message ?? "the step is wrong"}`);
  const given = rest === "" ? [] : rest.split(",").map((pair) => pair.split("="));
  if (given.some((pair) => pair.length !== 2)) return refused(`${kind}: write its parameters as name=value, parted by commas`);
  return build(kind, onset.data, Object.fromEntries(given.map(([name = "", value = ""]) => [name, value])));
}

function isKind(text: string): text is Fault["kind"] {
  return FAULT_KINDS.includes(text);
}

function build(kind: Fault["kind"], at: number, given: Readonly<Record<string, string>>): ParsedFault {
  switch (kind) {
    case "spike":
      return read(PARAMETERS.spike, kind, given, (p) => ({
        kind: "spike",
        step: at,
        factor: p.factor,
        halfLifeSteps: p["half-life"],
        gradLeadSteps: p["grad-lead"],
      }));
    case "spike-shift":
      return read(PARAMETERS["spike-shift"], kind, given, (p) => ({
        kind: "spike-shift",
        step: at,
        factor: p.factor,
        halfLifeSteps: p["half-life"],
        shift: p.shift,
        gradLeadSteps: p["grad-lead"],
      }));
    case "divergence":
      return read(PARAMETERS.divergence, kind, given, (p) => ({
        kind: "divergence",
        step: at,
        ceiling: p.ceiling,
        growthSteps: p.growth,
        gradLeadSteps: p["grad-lead"],
      }));
    case "ramp":
      return read(PARAMETERS.ramp, kind, given, (p) => ({
        kind: "ramp",
        step: at,
        perStep: p["per-step"],
        steps: p.steps,
        gradLeadSteps: p["grad-lead"],
      }));
    case "nan":
      return read(PARAMETERS.nan, kind, given, (p) => ({ kind: "nan", step: at, steps: p.steps }));
    case "outlier":
      return read(PARAMETERS.outlier, kind, given, (p) => ({ kind: "outlier", step: at, factor: p.factor }));
    case "slow":
      return read(PARAMETERS.slow, kind, given, (p) => ({ kind: "slow", step: at, factor: p.factor, steps: p.steps }));
    case "grad-rise":
      return read(PARAMETERS["grad-rise"], kind, given, (p) => ({ kind: "grad-rise", step: at, factor: p.factor, steps: p.steps }));
    case "restart":
      return read(PARAMETERS.restart, kind, given, (p) => ({
        kind: "restart",
        step: at,
        resumeFrom: p["resume-from"],
        downtimeS: p.downtime,
        hangS: p.hang,
        reason: `restart from ${p["resume-from"]}`,
      }));
  }
}

function read<S extends z.ZodType>(schema: S, kind: string, given: unknown, make: (parameters: z.output<S>) => Fault): ParsedFault {
  const parsed = schema.safeParse(given);
  if (parsed.success) return { ok: true, fault: make(parsed.data) };
  const [issue] = parsed.error.issues;
  return refused(
    `${kind}: ${issue === undefined ? "its parameters are wrong" : `${issue.path.join(".")}${issue.path.length > 0 ? " " : ""}${issue.message}`}`,
  );
}

function refused(message: string): ParsedFault {
  return { ok: false, message };
}

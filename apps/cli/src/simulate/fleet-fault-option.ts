import type { FleetFault } from "@trainwatch/simulate";
import { z } from "zod";

const number = z.coerce.number<string>("must be a number");
const whole = number.int("must be a whole number").min(0, "must not be negative");
const positive = number.positive("must be above zero");
const isYes = z.enum(["yes", "no"], "must be yes or no").transform((word) => word === "yes");

const onNode = { node: whole.default(0), for: positive.optional() };
const onGpu = { ...onNode, gpu: whole.default(0) };
const onLink = { ...onGpu, link: whole.default(0) };

/** What may follow `KIND@SECONDS:`, by kind; `slowsStepBy` is `slows-step-by` on the command line. */
const FAULTS = [
  z.strictObject({
    kind: z.literal("hot-gpu"),
    ...onGpu,
    celsius: positive.default(25),
    slowsStepBy: number.min(1, "must be at least 1").default(1),
  }),
  z.strictObject({ kind: z.literal("link-errors"), ...onLink, perSecond: positive.default(200) }),
  z.strictObject({ kind: z.literal("link-down"), ...onLink }),
  z.strictObject({ kind: z.literal("link-slow"), ...onLink, left: positive.max(1, "must be at most 1").default(0.3) }),
  z.strictObject({ kind: z.literal("xid"), ...onGpu, code: whole.default(79), teardown: isYes.default(true) }),
  z.strictObject({ kind: z.literal("ecc"), ...onGpu, correctedPerHour: whole.default(60), uncorrected: whole.default(0) }),
  z.strictObject({ kind: z.literal("row-remap"), ...onGpu, rows: whole.default(1), failed: isYes.default(false) }),
  z.strictObject({ kind: z.literal("gpu-replaced"), ...onGpu }),
  z.strictObject({ kind: z.literal("index-swap"), ...onGpu, with: whole.default(3) }),
  z.strictObject({
    kind: z.literal("sentinel"),
    ...onGpu,
    field: z.string().default("DCGM_FI_DEV_GPU_TEMP"),
    text: z
      .string()
      .regex(/^-?\d+(\.\d+)?$/, "must be a number")
      .default("4294967295"),
  }),
  z.strictObject({ kind: z.literal("exporter-restart"), ...onNode }),
  z.strictObject({ kind: z.literal("exporter-silent"), ...onNode }),
  z.strictObject({ kind: z.literal("exporter-upgrade"), ...onNode }),
  z.strictObject({ kind: z.literal("default-fields"), ...onNode }),
  z.strictObject({ kind: z.literal("clock-off"), ...onNode, seconds: number.default(90) }),
  z.strictObject({ kind: z.literal("port-down"), ...onNode, port: whole.default(0) }),
  z.strictObject({ kind: z.literal("port-errors"), ...onNode, port: whole.default(0), perSecond: positive.default(40) }),
  z.strictObject({ kind: z.literal("node-lost"), ...onNode }),
] as const;
const faultSchema = z.discriminatedUnion("kind", FAULTS);

export const FLEET_FAULT_KINDS: readonly string[] = FAULTS.map(({ shape }) => shape.kind.value);

export type ParsedFleetFault =
  | { readonly ok: true; readonly at: (startMs: number) => FleetFault }
  | { readonly ok: false; readonly message: string };

/** `hot-gpu@60:node=3,gpu=5,celsius=25,for=600`: seconds after the start. The message of a refusal continues the option's name. */
export function parseFleetFault(text: string): ParsedFleetFault {
  const match = /^([a-z-]+)@(\d+(?:\.\d+)?)(?::(.*))?$/.exec(text);
  if (match === null) return refused(`${JSON.stringify(text)} is not KIND@SECONDS[:name=value,…]`);
  const [, kind = "", after = "", rest = ""] = match;
  if (!FLEET_FAULT_KINDS.includes(kind))
    return refused(`there is no fault ${JSON.stringify(kind)}; known are ${FLEET_FAULT_KINDS.join(", ")}`);
  const pairs = rest === "" ? [] : rest.split(",").map((pair) => pair.split("="));
  if (pairs.some((pair) => pair.length !== 2)) return refused(`${kind}: write its parameters as name=value, parted by commas`);
  const parsed = faultSchema.safeParse({ ...Object.fromEntries(pairs.map(([name = "", value = ""]) => [camelCase(name), value])), kind });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return refused(`${kind}: ${issue === undefined ? "its parameters are wrong" : `${issue.path.join(".")} ${issue.message}`.trim()}`);
  }
  return { ok: true, at: (startMs) => placed(parsed.data, startMs + Number(after) * 1000) };
}

function placed({ for: seconds, ...fault }: z.output<typeof faultSchema>, atMs: number): FleetFault {
  return seconds === undefined ? { ...fault, atMs } : { ...fault, atMs, untilMs: atMs + seconds * 1000 };
}

function camelCase(name: string): string {
  return name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function refused(message: string): ParsedFleetFault {
  return { ok: false, message };
}

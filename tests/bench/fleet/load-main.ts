// A process of its own for whoever sends: what it costs must not be mixed with what the server costs.
import type { FrameAnswer } from "@trainwatch/core";
import { type FramePlan, frameBodies } from "./frame-bodies.ts";
import { type HttpLine, openHttpLine } from "./http-line.ts";

/** How frames are sent. */
export interface LoadOrder {
  readonly url: string;
  readonly token: string;
  readonly plan: FramePlan;
  /**
   * `full`: so many connections, each sends its next frame when the last is acknowledged.
   * `paced`: a connection a sender, each sends one frame every so many ms, evenly staggered, whether the last was quick or not.
   */
  readonly pace: { readonly kind: "full"; readonly connections: number } | { readonly kind: "paced"; readonly everyMs: number };
}

/** What became of all frames that were sent while the clock ran. */
export interface LoadResult {
  readonly requests: number;
  readonly accepted: number;
  readonly repeated: number;
  readonly refused: number;
  readonly wallMs: number;
  /** Of each request, from when it was due. */
  readonly latenciesMs: readonly number[];
  /** CPU time of this process while the clock ran. */
  readonly clientCpuMs: number;
}

const PATH = "/trpc/ingest.frame";
const TYPE = "application/octet-stream";

function orderFrom(text: string | undefined): LoadOrder {
  if (text === undefined) throw new Error("the sender needs its order as its only argument");
  return JSON.parse(text);
}

async function send(line: HttpLine, body: Uint8Array): Promise<FrameAnswer> {
  const { status, body: text } = await line.post(PATH, TYPE, body);
  if (status !== 200) throw new Error(`ingest.frame answered ${status}: ${text.slice(0, 500)}`);
  const { result }: { readonly result: { readonly data: FrameAnswer } } = JSON.parse(text);
  if (result.data.unknown.length > 0) throw new Error(`the server does not know ${result.data.unknown.length} dictionaries`);
  return result.data;
}

interface Sum {
  requests: number;
  accepted: number;
  repeated: number;
  refused: number;
  readonly latenciesMs: number[];
}

function note(sum: Sum, { accepted, repeated, refusedTotal }: FrameAnswer, latencyMs: number): void {
  sum.requests++;
  sum.accepted += accepted;
  sum.repeated += repeated;
  sum.refused += refusedTotal;
  sum.latenciesMs.push(latencyMs);
}

async function sendFull(lines: readonly HttpLine[], bodies: readonly Uint8Array[], sum: Sum): Promise<void> {
  let next = 0;
  await Promise.all(
    lines.map(async (line) => {
      for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) {
        const started = performance.now();
        note(sum, await send(line, body), performance.now() - started);
      }
    }),
  );
}

async function sendPaced(lines: readonly HttpLine[], steps: readonly (readonly Uint8Array[])[], everyMs: number, sum: Sum): Promise<void> {
  const started = performance.now();
  await Promise.all(
    lines.map(async (line, sender) => {
      for (const [step, bodies] of steps.entries()) {
        const due = started + everyMs * (step + sender / lines.length);
        const waitMs = due - performance.now();
        if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
        const body = bodies[sender];
        if (body !== undefined) note(sum, await send(line, body), performance.now() - due);
      }
    }),
  );
}

async function main(): Promise<void> {
  const { url, token, plan, pace } = orderFrom(process.argv[2]);
  const { first, steps } = frameBodies(plan);
  const connections = pace.kind === "full" ? pace.connections : first.length;
  const lines = await Promise.all(Array.from({ length: connections }, () => openHttpLine(url, token)));
  const nothing: Sum = { requests: 0, accepted: 0, repeated: 0, refused: 0, latenciesMs: [] };
  await sendFull(lines.slice(0, 8), first, nothing);
  await sendFull(lines.slice(0, 8), first.slice(0, 8), nothing);
  process.send?.("ready");
  await new Promise((resolve) => process.once("message", resolve));

  const sum: Sum = { requests: 0, accepted: 0, repeated: 0, refused: 0, latenciesMs: [] };
  const cpu = process.cpuUsage();
  const started = performance.now();
  if (pace.kind === "full") await sendFull(lines, steps.flat(), sum);
  else await sendPaced(lines, steps, pace.everyMs, sum);
  const wallMs = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  process.send?.({ ...sum, wallMs, clientCpuMs: (user + system) / 1_000 } satisfies LoadResult);
  // The bench lets go of us once it has the result; what is sent by a process that ends may be lost.
  for (const line of lines) line.close();
}

await main();

// A process of its own for the fleet that sends an hour: it makes the frames of a step while those of the step before are on their way.
import type { FrameAnswer } from "@trainwatch/core";
import { frameSource, STEP_MS } from "./frame-bodies.ts";
import { type HttpLine, openHttpLine } from "./http-line.ts";

export interface HourOrder {
  readonly url: string;
  readonly token: string;
  readonly nodes: number;
  readonly nodesAFrame: number;
  readonly steps: number;
  /** Epoch ms of the first step. */
  readonly startMs: number;
  readonly connections: number;
}

/** Told after every step. */
export interface HourProgress {
  /** Epoch ms of the step. */
  readonly timeMs: number;
  readonly accepted: number;
  readonly refused: number;
  readonly repeated: number;
  readonly isLast: boolean;
}

function orderFrom(text: string | undefined): HourOrder {
  if (text === undefined) throw new Error("the sender needs its order as its only argument");
  return JSON.parse(text);
}

async function send(line: HttpLine, body: Uint8Array): Promise<FrameAnswer> {
  const { status, body: text } = await line.post("/trpc/ingest.frame", "application/octet-stream", body);
  if (status !== 200) throw new Error(`ingest.frame answered ${status}: ${text.slice(0, 500)}`);
  const { result }: { readonly result: { readonly data: FrameAnswer } } = JSON.parse(text);
  if (result.data.unknown.length > 0) throw new Error(`the server does not know ${result.data.unknown.length} dictionaries`);
  return result.data;
}

async function sendAll(lines: readonly HttpLine[], bodies: readonly Uint8Array[]): Promise<readonly FrameAnswer[]> {
  let next = 0;
  const answers: FrameAnswer[] = [];
  await Promise.all(
    lines.map(async (line) => {
      for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) answers.push(await send(line, body));
    }),
  );
  return answers;
}

async function main(): Promise<void> {
  const { url, token, nodes, nodesAFrame, steps, startMs, connections } = orderFrom(process.argv[2]);
  const source = frameSource({ nodes, nodesAFrame });
  const lines = await Promise.all(Array.from({ length: connections }, () => openHttpLine(url, token)));
  let bodies = source.next(startMs, true);
  for (let step = 0; step < steps; step++) {
    const sending = sendAll(lines, bodies);
    const timeMs = startMs + step * STEP_MS;
    const isLast = step === steps - 1;
    if (!isLast) bodies = source.next(timeMs + STEP_MS, false);
    const answers = await sending;
    const sum = (field: "accepted" | "repeated" | "refusedTotal"): number => answers.reduce((total, answer) => total + answer[field], 0);
    process.send?.({
      timeMs,
      accepted: sum("accepted"),
      repeated: sum("repeated"),
      refused: sum("refusedTotal"),
      isLast,
    } satisfies HourProgress);
  }
  for (const line of lines) line.close();
  process.disconnect();
}

await main();

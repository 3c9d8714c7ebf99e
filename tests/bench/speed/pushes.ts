import type { PushAnswer } from "@trainwatch/core";
import { answerIn } from "./bench-server.ts";
import { METRICS, type RunColumns, runColumns } from "./run-data.ts";

/** A push as it goes over the wire, made before the clock starts. */
export interface ReadyPush {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly samples: number;
}

export interface PushPlan {
  readonly run: string;
  readonly steps: number;
  readonly stepsAPush: number;
  /** Senders side by side, each with its own share of the series and its own count of pushes. */
  readonly senders: number;
  /** Another word makes the same points come from somebody else. */
  readonly source: string;
}

/** Of each sender its pushes in order. */
export function readyPushes({ run, steps, stepsAPush, senders, source }: PushPlan): readonly (readonly ReadyPush[])[] {
  const lists = Array.from({ length: senders }, (): ReadyPush[] => []);
  for (let from = 0; from < steps; from += stepsAPush) {
    const columns = runColumns(from, Math.min(steps, from + stepsAPush));
    lists.forEach((list, sender) =>
      list.push(readyPush(columns, { run, source: `${source}-${sender}`, seq: list.length, series: shareOf(sender, senders) })),
    );
  }
  return lists;
}

function shareOf(sender: number, senders: number): readonly number[] {
  return METRICS.flatMap((_, series) => (series % senders === sender ? [series] : []));
}

function readyPush(
  { step, timeMs, values }: RunColumns,
  { run, source, seq, series }: { run: string; source: string; seq: number; series: readonly number[] },
): ReadyPush {
  const [steps, times] = [[...step], [...timeMs]];
  const body = {
    source,
    seq,
    run: { project: "bench", name: run },
    // A trainer knows its launch, so that what somebody else sends of it is a repeat and not a restart.
    attempt: "launch-1",
    series: series.map((each) => ({ metric: METRICS[each] })),
    columns: series.map((each, index) => ({ series: index, step: steps, time: times, value: [...(values[each] ?? [])] })),
  };
  return { body: new TextEncoder().encode(JSON.stringify(body)), samples: steps.length * series.length };
}

/** Sends the pushes of each sender one after the other, the senders side by side: nobody sends the next before the last is acknowledged. */
export async function sendAll(url: string, token: string, lists: readonly (readonly ReadyPush[])[]): Promise<readonly PushAnswer[]> {
  const answers = await Promise.all(
    lists.map(async (list) => {
      const mine: PushAnswer[] = [];
      for (const push of list) mine.push(await send(url, token, push));
      return mine;
    }),
  );
  return answers.flat();
}

async function send(url: string, token: string, { body }: ReadyPush): Promise<PushAnswer> {
  const response = await fetch(`${url}/trpc/ingest.push`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`ingest.push answered ${response.status}: ${text.slice(0, 500)}`);
  return answerIn(text);
}

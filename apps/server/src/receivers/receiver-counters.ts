import { Counter, type Registry } from "prom-client";
import type { IntakeOutcome } from "./intake.ts";

/** What senders may bring and we do not keep. */
export type NotKept = "exemplars" | "histograms" | "metadata";

export interface ReceiverCounters {
  stored(receiver: string, outcome: IntakeOutcome): void;
  notKept(receiver: string, kind: NotKept, count: number): void;
}

/** Counters of the receivers on `/metrics`. Requests and their status codes are counted with all others, by route. */
export function createReceiverCounters(registry: Registry): ReceiverCounters {
  const samples = new Counter({
    name: "trainwatch_receiver_samples_total",
    help: "Samples that came by a receiver: accepted, repeated (stored before), or refused.",
    labelNames: ["receiver", "outcome"] as const,
    registers: [registry],
  });
  const others = new Counter({
    name: "trainwatch_receiver_not_kept_total",
    help: "Exemplars, native histograms and metadata that came by a receiver. They are not stored.",
    labelNames: ["receiver", "kind"] as const,
    registers: [registry],
  });
  return {
    stored(receiver, { accepted, repeated, refusedTotal }) {
      samples.inc({ receiver, outcome: "accepted" }, accepted);
      samples.inc({ receiver, outcome: "repeated" }, repeated);
      samples.inc({ receiver, outcome: "refused" }, refusedTotal);
    },
    notKept(receiver, kind, count) {
      if (count > 0) others.inc({ receiver, kind }, count);
    },
  };
}

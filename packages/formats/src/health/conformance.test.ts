import { fleetEventSchema } from "@trainwatch/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FORMATS } from "../registry.ts";
import { collectHealth } from "./collect-health.fixture.ts";
import { ncclLogParser } from "./nccl/nccl-log.ts";
import { HEALTH_FORMATS, detectHealthFormat } from "./registry.ts";
import { NCCL, SAMPLES } from "./samples.fixture.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const PARSERS = [...HEALTH_FORMATS.map(({ id, parser }) => [id, parser] as const), ["nccl", ncclLogParser] as const];

function chunked(bytes: Uint8Array, sizes: readonly number[]): readonly Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

describe.each([...SAMPLES.map(([format, name, text]) => ({ format, name, text })), { format: "nccl", name: "nccl", text: NCCL }])(
  "health format $format ($name)",
  ({ format, text }) => {
    const parser = new Map<string, (typeof PARSERS)[number][1]>(PARSERS).get(format) ?? ncclLogParser;

    it("gives the same whatever the chunking", () => {
      const whole = collectHealth(parser, text);
      expect(whole.events.length + whole.readings.length).toBeGreaterThan(0);
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 1, maxLength: 8 }), (sizes) => {
          expect(collectHealth(parser, chunked(encode(text), sizes))).toEqual(whole);
        }),
        { numRuns: 40 },
      );
    });

    it("reads a cut or damaged input without throwing, and gives events that can be sent", () => {
      fc.assert(
        fc.property(fc.nat(), fc.nat(), fc.uint8Array({ maxLength: 24 }), (cut, at, noise) => {
          const bytes = encode(text);
          const end = cut % (bytes.length + 1);
          const damaged = [bytes.subarray(0, at % (end + 1)), noise, bytes.subarray(at % (end + 1), end)];
          for (const { timeMs, line, rank, op, ...event } of collectHealth(parser, damaged, { bootTimeMs: 0 }).events) {
            expect([line > 0, rank === null || rank >= 0, op === null || op !== ""]).toEqual([true, true, true]);
            expect(fleetEventSchema.safeParse({ ...event, timeMs: timeMs ?? 0 }).success).toBe(true);
          }
        }),
        { numRuns: 60 },
      );
    });

    it("is told by its content, and by no other format", () => {
      const id = detectHealthFormat(encode(text))?.id ?? null;
      expect(id).toBe(format === "nccl" ? null : format);
      expect(HEALTH_FORMATS.filter(({ sniff }) => sniff(encode(text))).length).toBe(format === "nccl" ? 0 : 1);
      expect(FORMATS.filter(({ sniff }) => sniff(encode(text)) >= 0.5).map((each) => each.id)).toEqual([]);
    });
  },
);

describe.each(PARSERS)("health parser %s", (_, parser) => {
  it("survives arbitrary bytes and gives finite memory's worth out", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 8 }), (chunks) => {
        collectHealth(parser, chunks);
      }),
      { numRuns: 60 },
    );
  });

  it("skips a line of two mebibytes and goes on", () => {
    const { issues } = collectHealth(parser, [encode("x".repeat(1 << 21)), encode("\n\n")]);
    expect(issues.length).toBeLessThanOrEqual(2);
  });
});

describe("detectHealthFormat", () => {
  it("takes no trainer's log, no table and no prose for a machine's", () => {
    const others = [
      "step: 10  loss:  7.12345  grad_norm:  1.2345\n",
      "2026-11-02 10:11:12 INFO starting\n2026-11-02 10:11:13 INFO step 1 loss 2.0\n",
      "step,loss\n1,2.5\n2,2.4\n",
      '{"step":1,"loss":2.5}\n',
      "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-9b1f0c3e-1111-2222-3333-444455556666)\nepoch 1\n",
      "The temperature was high.\n",
      "",
    ];
    expect(others.map((text) => detectHealthFormat(encode(text)))).toEqual(others.map(() => null));
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EvalFormat, EvalOptions } from "../format.ts";
import { type CollectedEval, collectEval } from "../fixtures/collect-eval.ts";
import { codesOf, measuresOf, samplesOf } from "../fixtures/pick-records.ts";
import { type ArchiveMember, zipArchive, zstdRun } from "../fixtures/zip-archive.ts";
import { inspectArchive } from "./archive.ts";
import { MOST_MEMBER_BYTES } from "./zip-member.ts";

const readFixture = (format: EvalFormat, name: string, options: EvalOptions = { path: name }): CollectedEval =>
  collectEval(format, [readFileSync(join(import.meta.dirname, "../fixtures", format.id, name))], options);

const header = JSON.stringify({
  version: 2,
  status: "success",
  eval: { task: "t", model: "toy/a" },
  results: { completed_samples: 2, scores: [{ name: "match", scorer: "match", metrics: { accuracy: { value: 0.5 } } }] },
});
const sample = (id: number, value: string): string =>
  JSON.stringify({ id, epoch: 1, input: "q", target: "a", scores: { match: { value } } });
const HEAD: ArchiveMember = { name: "header.json", text: header };
const read = (...members: readonly ArchiveMember[]): ReturnType<typeof collectEval> => collectEval(inspectArchive, [zipArchive(members)]);
const bomb = (name: string, more: Partial<ArchiveMember>): ArchiveMember => ({ name, text: sample(9, "C"), ...more });

describe("Inspect archive", () => {
  it("V7: takes the last of members of one name", () => {
    const finished = readFixture(inspectArchive, "finished.eval");
    expect(samplesOf(finished).find(({ key, epoch, filter }) => key === "1" && epoch === 1 && filter === "match")?.scores).toEqual({
      accuracy: 1,
    });
    expect(measuresOf(finished)).toHaveLength(4);
  });

  it("reads members packed with zstd as the same log", () => {
    const packed = readFixture(inspectArchive, "zstd.eval");
    const finished = readFixture(inspectArchive, "finished.eval");
    expect(measuresOf(packed)).toEqual(measuresOf(finished));
    expect(samplesOf(packed)[0]).toEqual(samplesOf(finished)[0]);
  });

  it("reads the samples of an evaluation that still runs, and says so", () => {
    const running = readFixture(inspectArchive, "running.eval");
    expect(measuresOf(running)).toEqual([]);
    expect(samplesOf(running).map(({ filter, scores }) => [filter, scores])).toEqual([
      ["match", { accuracy: 1 }],
      ["tone", { mean: 4 }],
      ["length", { mean: 2 }],
    ]);
    expect(codesOf(running)).toEqual(["not-finished"]);
  });

  it("refuses a member that unpacks to more than is told, deflated or with zstd, and goes on with the rest", () => {
    const good: ArchiveMember = { name: "samples/1_epoch_1.json", text: sample(1, "C") };
    const zeros = "0".repeat(1 << 20);
    const deflated = read(HEAD, { name: "samples/2_epoch_1.json", text: zeros, size: 100 }, good);
    expect(samplesOf(deflated).map(({ key }) => key)).toEqual(["1"]);
    expect(deflated.issues.map(({ message }) => message)).toEqual([
      'The member "samples/2_epoch_1.json" was left out: it cannot be unpacked (more than the 100 bytes that are told).',
    ]);
    const run = read(HEAD, bomb("samples/2_epoch_1.json", { method: 93, packed: zstdRun(0x30, 64), size: 1000 }), good);
    expect(samplesOf(run).map(({ key }) => key)).toEqual(["1"]);
    expect(run.issues[0]?.message).toContain("more than the 1000 bytes that are told");
  });

  it("refuses a member that says it is larger than is read, before anything is unpacked", () => {
    const huge = read(HEAD, bomb("samples/2_epoch_1.json", { size: MOST_MEMBER_BYTES + 1 }));
    expect(samplesOf(huge)).toEqual([]);
    expect(huge.issues[0]?.message).toContain(`unpacks to ${MOST_MEMBER_BYTES + 1} bytes`);
  });

  it("refuses an archive whose entries lead to the same bytes: a few kilobytes would unpack to gigabytes", () => {
    const bytes: ArchiveMember = { name: "samples/1_epoch_1.json", text: sample(1, "C") };
    const copies = read(HEAD, bytes, { ...bytes, name: "samples/2_epoch_1.json", overlaps: true });
    expect(copies.records).toEqual([]);
    expect(copies.issues[0]?.message).toContain("its members overlap");
  });

  it("reads a member of several pieces as it was", () => {
    const text = Array.from({ length: 30_000 }, (_, index) => ` ${(index * 2_654_435_761) % 1_000_003}`).join("");
    const long = JSON.stringify({ id: 1, epoch: 1, input: text, target: "a", scores: { match: { value: "C" } } });
    const whole = read(HEAD, { name: "samples/1_epoch_1.json", text: long });
    expect(whole.issues).toEqual([]);
    expect(samplesOf(whole)[0]?.prompt === text).toBe(true);
  });

  it("keeps samples apart whose ids are longer than a key, or larger than a number holds exactly", () => {
    const ids = [9_007_199_254_740_993n, 9_007_199_254_740_994n, 9_007_199_254_740_995n].map((id) =>
      sample(0, "C").replace('"id":0', `"id":${id}`),
    );
    const long = ["a", "b"].map((end) => sample(0, "I").replace('"id":0', `"id":"${"p".repeat(300)}${end}"`));
    const all = read(HEAD, ...[...ids, ...long].map((text, index) => ({ name: `samples/${index}_epoch_1.json`, text })));
    expect(all.issues).toEqual([]);
    expect(samplesOf(all).map(({ key }) => key)).toEqual([
      "9007199254740993",
      "9007199254740994",
      "9007199254740995",
      expect.stringMatching(/^hash:/),
      expect.stringMatching(/^hash:/),
    ]);
  });

  it("tells of samples that give no record: not scored yet, or scored over epochs otherwise than by the mean", () => {
    const bare = (id: number): string => JSON.stringify({ id, epoch: 1, input: "q", target: "a" });
    const started = JSON.stringify({ version: 2, status: "started", eval: { task: "t", model: "toy/a" } });
    const running = read({ name: "_journal/start.json", text: started }, { name: "samples/1_epoch_1.json", text: bare(1) });
    expect(running.records).toEqual([]);
    expect(running.issues.map(({ message }) => message)).toContain(
      "1 sample has no score of its own and was left out: not scored yet, or its epochs are told together otherwise than by their mean.",
    );
    const passAt = header.replace('"scorer":"match"', '"scorer":"match","reducer":"pass_at_2"');
    const reduced = read(
      { name: "header.json", text: passAt },
      { name: "samples/1_epoch_1.json", text: sample(1, "C") },
      { name: "samples/2_epoch_1.json", text: sample(2, "I") },
    );
    expect(samplesOf(reduced)).toEqual([]);
    expect(reduced.issues.map(({ code, message }) => [code, message.slice(0, 9)])).toEqual([["no-score", "2 samples"]]);
  });

  it("takes a time without a zone as UTC, wherever it is read", () => {
    const dated = header.replace('"model":"toy/a"', '"model":"toy/a","created":"2031-01-02T03:04:05.250"');
    expect(measuresOf(read({ name: "header.json", text: dated })).map(({ evaluatedAtMs }) => evaluatedAtMs)).toEqual([
      Date.UTC(2031, 0, 2, 3, 4, 5, 250),
    ]);
  });

  it("tells its samples by the time of their evaluation, as its results", () => {
    const dated = header.replace('"model":"toy/a"', '"model":"toy/a","created":"2031-01-02T03:04:05+00:00"');
    const log = read({ name: "header.json", text: dated }, { name: "samples/1_epoch_1.json", text: sample(1, "C") });
    expect(samplesOf(log).map(({ evaluatedAtMs }) => evaluatedAtMs)).toEqual([Date.UTC(2031, 0, 2, 3, 4, 5)]);
    expect(measuresOf(log).map(({ evaluatedAtMs }) => evaluatedAtMs)).toEqual([Date.UTC(2031, 0, 2, 3, 4, 5)]);
  });

  it("refuses a zstd frame that asks for too much memory", () => {
    const frame = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xb8, 0x01, 0x00, 0x00]);
    const wide = read(HEAD, bomb("samples/2_epoch_1.json", { method: 93, packed: frame, size: 10 }));
    expect(wide.issues[0]?.message).toContain("too much memory");
  });

  it("refuses a member whose checksum does not match, and methods that it does not know", () => {
    const damaged = read(HEAD, bomb("samples/2_epoch_1.json", { crc: 1 }), bomb("samples/3_epoch_1.json", { method: 12 }));
    expect(samplesOf(damaged)).toEqual([]);
    expect(damaged.issues.map(({ message }) => message)).toEqual([
      'The member "samples/2_epoch_1.json" was left out: its checksum does not match.',
      'The member "samples/3_epoch_1.json" was left out: its compression method 12 is none that is read (stored, deflate, zstd).',
    ]);
  });

  it("says of a cut archive that it was cut, and of another zip that it is no log", () => {
    const whole = zipArchive([HEAD]);
    expect(codesOf(collectEval(inspectArchive, [whole.subarray(0, whole.length - 30)]))).toEqual(["bad-archive"]);
    expect(read({ name: "a.txt", text: "hello" }).issues[0]?.message).toContain("no Inspect log");
    expect(inspectArchive.sniff(zipArchive([{ name: "data.pkl", text: "x" }]))).toBe(0);
  });
});

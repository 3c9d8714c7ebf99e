import { describe, expect, it } from "vitest";
import { detectFormat, type LogFormat } from "./index.ts";

const refusalOf = (head: Uint8Array | string, formats?: readonly LogFormat[]): string => {
  const detection = detectFormat(typeof head === "string" ? Buffer.from(head) : head, formats);
  return detection.kind === "refused" ? `${detection.refusal.code}: ${detection.refusal.message}` : detection.format.id;
};

const UTF_16 = "unsupported: The content is UTF-16 text, and UTF-8 is read here; convert it first: `iconv -f UTF-16 -t UTF-8`.";

describe("what is refused, and why", () => {
  it.each([
    ["", "empty: The file is empty."],
    [" \n\r\n\t\0", "empty: The file is empty."],
    [Buffer.from("1f8b0800", "hex"), "compressed: The content is gzip-compressed; decompress it first."],
    [Buffer.from("28b52ffd", "hex"), "compressed: The content is zstd-compressed; decompress it first."],
    [Buffer.from("80049500", "hex"), "binary: The content is a Python pickle, which is never loaded; export it as JSON."],
    ["PK\u0003\u0004", "binary: The content is a zip archive (or a PyTorch checkpoint); extract the log from it."],
    [Buffer.from("\uFEFFstep,loss\n", "utf16le"), UTF_16],
    [Buffer.from("\uFEFFstep,loss\n", "utf16le").swap16(), UTF_16],
    [Buffer.from("step,loss\r\n1,2.5\r\n", "utf16le"), UTF_16],
    [Buffer.from("step,loss\r\n1,2.5\r\n", "utf16le").swap16(), UTF_16],
    [Buffer.from([1, 2, 3, 4, 0, 200, 7, 1]), "binary: The content is binary and no known log format."],
  ])("%j is refused", (head, reason) => {
    expect(refusalOf(head)).toBe(reason);
  });

  it("prose is refused with the formats that are known", () => {
    expect(refusalOf("Dear diary, the loss was 2.5 at step 10 today.\nNothing else.\n")).toMatch(
      /^unknown: No known log format .* Known: .*megatron.*verl/,
    );
  });

  it("two formats that claim a head equally are refused by name", () => {
    const claim = (id: string, title: string): LogFormat => ({
      id,
      title,
      source: "test.",
      sniff: () => 0.8,
      parser: () => ({ push: () => undefined, end: () => undefined }),
    });
    expect(refusalOf("x", [claim("a", "A"), claim("b", "B")])).toBe("ambiguous: The content looks like A and like B; name the format.");
  });
});

describe("a launch that has not come to its first logged step", () => {
  it.each([
    ["megatron", "using world size: 8, data-parallel size: 4, tensor-model-parallel size: 2, pipeline-model-parallel size: 1\n"],
    ["megatron", "[2031-02-03 04:05:06,100] [INFO] [runner.py:570:main] cmd = pdsh -w node-a python -u pretrain_gpt.py --lr 1\n"],
    [
      "megatron",
      `---------- arguments ----------\n${["adam_eps", "lr", "seed", "save", "load"].map((name) => `  ${name} ......... 1\n`).join("")}`,
    ],
    ["torchtitan", "[rank0]:[titan] 2031-02-03 04:05:06,100 - root - INFO - Building the model\n".repeat(3)],
    ["deepspeed", "[2031-02-03 04:05:06,100] [INFO] [config.py:978:print]   zero_enabled  True\n".repeat(3)],
    ["mlperf", ":::DLPAL registry/demo 101 1 node-a 'unknown' DEMO\n:::SYSJSON {}\n"],
    ["algoperf", "python3 submission_runner.py --framework=jax --workload=wmt 2>&1 | tee -a /logs/wmt.log\n"],
    ["verl", "+ python3 -m verl.trainer.main_ppo data.train_files=train.parquet\n"],
    ["modded-nanogpt", "import os\nimport torch\nprint0('x')\n"],
  ])("is recognised as %s", (id, head) => {
    expect(refusalOf(head)).toBe(id);
  });
});

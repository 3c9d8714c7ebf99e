import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createTestServer } from "../../apps/cli/src/agent/test-server.fixture.ts";
import { buildAgent, startAgent, writeAgentConfig } from "../flow/agent-process.ts";

/** How long it is watched after it has settled. An outage of the server and its end lie within. */
const SECONDS = Number(process.env["TRAINWATCH_BENCH_AGENT_SECONDS"] ?? 180);
/** Start, first readings and first shipping are no steady state. */
const SETTLE_SECONDS = 15;
const GOAL_RSS_MB = 80;
const GOAL_CPU_PERCENT = 2;
const GPUS = 8;
const GPU_METRICS = 40;
const NODE_SERIES = 1_200;
/** Kernel ticks a second of `/proc/<pid>/stat`. */
const TICKS = 100;
const UNIT = join(import.meta.dirname, "../../apps/cli/deploy/trainwatch-agent.service");

export default { name: "agent", run };

/** Memory and processor time of the built agent, started as its unit starts it, on an 8-GPU node at 10 s with every kind of source that such a node has. */
async function run(): Promise<Record<string, unknown> & { ok: boolean }> {
  const dir = await mkdtemp(join(tmpdir(), "trainwatch-bench-agent-"));
  const server = await createTestServer();
  const exporters = [await exporter(gpuText), await exporter(nodeText)];
  try {
    const file = await buildAgent(dir);
    const config = await writeAgentConfig(
      dir,
      await nodeConfig(
        dir,
        server.url,
        exporters.map(({ url }) => url),
      ),
    );
    const agent = startAgent({ file, config, token: "bench", nodeArguments: await unitArguments(), env: { MALLOC_ARENA_MAX: "1" } });
    await wait(SETTLE_SECONDS * 1000);
    const from = { cpu: await cpuSeconds(agent.pid), at: performance.now() };
    await wait(SECONDS * 500);
    server.refuse = () => ({ status: 503 });
    await wait(SECONDS * 250);
    server.refuse = () => null;
    await wait(SECONDS * 250);
    const cpuPercent = (100 * ((await cpuSeconds(agent.pid)) - from.cpu)) / ((performance.now() - from.at) / 1000);
    const peakRssMb = await peakRss(agent.pid);
    const exitCode = await agent.stop();
    return {
      ok: peakRssMb < GOAL_RSS_MB && cpuPercent < GOAL_CPU_PERCENT && exitCode === 0 && server.readings.length > 0,
      peakRssMb: Number(peakRssMb.toFixed(1)),
      goalRssMb: GOAL_RSS_MB,
      cpuPercentOfACore: Number(cpuPercent.toFixed(2)),
      goalCpuPercent: GOAL_CPU_PERCENT,
      seconds: SECONDS,
      seriesEachTenSeconds: GPUS * GPU_METRICS + NODE_SERIES,
      readingsTaken: server.readings.length,
    };
  } finally {
    for (const { close } of exporters) close();
    await server[Symbol.asyncDispose]();
    await rm(dir, { recursive: true, force: true });
  }
}

async function nodeConfig(dir: string, url: string, [gpus = "", node = ""]: readonly string[]): Promise<object> {
  await mkdir(join(dir, "checkpoints/step-100"), { recursive: true });
  await writeFile(join(dir, "kmsg"), "6,1,1000000,-;NVRM: loading NVIDIA UNIX x86_64 Kernel Module\n".repeat(2_000));
  await writeFile(join(dir, "checkpoints/step-100/__0_0.distcp"), "weights");
  await writeFile(
    join(dir, "train.jsonl"),
    Array.from({ length: 20_000 }, (_, step) => `{"step": ${step}, "loss": ${2 + Math.sin(step)}, "grad_norm": 1.5}\n`).join(""),
  );
  await writeFile(join(dir, "smi.txt"), smiText());
  return {
    server: { url },
    dataDir: join(dir, "agent"),
    sources: [
      { kind: "scrape", name: "dcgm", url: gpus },
      { kind: "scrape", name: "node", url: node },
      { kind: "kmsg", path: join(dir, "kmsg") },
      { kind: "exec", command: ["/bin/cat", join(dir, "smi.txt")], reads: "nvidia-smi", every: "10s" },
      { kind: "trainer", path: join(dir, "train.jsonl"), run: "bench/run" },
      { kind: "checkpoints", dir: join(dir, "checkpoints"), run: "bench/run" },
    ],
  };
}

/** Options of Node in `ExecStart`: what is measured is what is shipped. */
async function unitArguments(): Promise<readonly string[]> {
  const start = /^ExecStart=(.*)$/m.exec(await readFile(UNIT, "utf8"))?.[1] ?? "";
  return start.split(" ").filter((word) => /^--(?!config)/.test(word));
}

async function exporter(text: () => string): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer((_, response) => response.end(text()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`, close: () => void server.close() };
}

/** As dcgm-exporter writes it: metric by metric, each GPU with its dozen labels. */
function gpuText(): string {
  return Array.from({ length: GPU_METRICS }, (_, metric) => {
    const name = `DCGM_FI_DEV_FIELD_${metric}`;
    const lines = Array.from(
      { length: GPUS },
      (__, gpu) =>
        `${name}{gpu="${gpu}",UUID="GPU-0000000${gpu}-1111-2222-3333-444444444444",pci_bus_id="00000000:1${gpu}:00.0",device="nvidia${gpu}",modelName="NVIDIA H100 80GB HBM3",Hostname="c11-n07",DCGM_FI_DRIVER_VERSION="550.90.07",container="trainer",namespace="research",pod="llm-7b-worker-${gpu}"} ${(Math.random() * 100).toFixed(4)}\n`,
    );
    return `# HELP ${name} A field of the bench.\n# TYPE ${name} gauge\n${lines.join("")}`;
  }).join("");
}

function nodeText(): string {
  return Array.from(
    { length: NODE_SERIES },
    (_, index) => `node_bench_${index >> 3}_total{device="nvme${index & 7}n1"} ${Math.floor(Math.random() * 1e12)}\n`,
  ).join("");
}

function smiText(): string {
  const gpu = (index: number): string => `GPU 00000000:1${index}:00.0
    GPU UUID                              : GPU-0000000${index}-1111-2222-3333-444444444444
    Temperature
        GPU Current Temp                  : 4${index} C
`;
  return `==============NVSMI LOG==============\n\nAttached GPUs                             : 8\n${Array.from({ length: GPUS }, (_, index) => gpu(index)).join("")}`;
}

/** User and system time of a process. */
async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1");
  const [user, system] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13);
  return (Number(user) + Number(system)) / TICKS;
}

/** High-water mark of its resident memory, as the kernel keeps it. */
async function peakRss(pid: number): Promise<number> {
  return Number(/VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, "latin1"))?.[1] ?? Number.NaN) / 1024;
}

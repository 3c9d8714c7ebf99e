import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const GPUS = 8;
/** Fields of dcgm-exporter's default set, with a value by GPU and scrape. */
const FIELDS: readonly (readonly [name: string, value: (gpu: number, scrape: number) => number])[] = [
  ["DCGM_FI_DEV_SM_CLOCK", (gpu, scrape) => 1_410 + 15 * ((gpu + scrape) % 4)],
  ["DCGM_FI_DEV_MEMORY_TEMP", (gpu, scrape) => 60 + ((gpu * 3 + scrape) % 7)],
  ["DCGM_FI_DEV_GPU_TEMP", (gpu, scrape) => 50 + ((gpu * 5 + scrape) % 11)],
  ["DCGM_FI_DEV_POWER_USAGE", (gpu, scrape) => 400 + noise(gpu, scrape) * 50],
  ["DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", (gpu, scrape) => 9_022_652 + gpu * 1_000 + scrape * 813_337],
  ["DCGM_FI_DEV_GPU_UTIL", (gpu, scrape) => (gpu + scrape) % 101],
  ["DCGM_FI_DEV_XID_ERRORS", (gpu, scrape) => (gpu === 3 && scrape > 10 ? 79 : 0)],
  ["DCGM_FI_DEV_FB_USED", (gpu, scrape) => 70_000 + Math.floor(noise(gpu, scrape) * 900)],
  ["DCGM_FI_PROF_GR_ENGINE_ACTIVE", (gpu, scrape) => noise(gpu, scrape)],
  // dcgm-exporter's 64-bit blank as a double holds it, and what is no number.
  ["DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL", () => 2 ** 63],
  ["DCGM_FI_PROF_DRAM_ACTIVE", (gpu, scrape) => (gpu === 5 ? Number.NaN : noise(scrape, gpu))],
];

function noise(a: number, b: number): number {
  const wave = Math.sin(a * 12.9898 + b * 78.233) * 43_758.5453;
  return wave - Math.floor(wave);
}

export interface GpuExporter extends AsyncDisposable {
  readonly port: number;
  scrapes(): number;
  /** GPU 7 is gone from now on: its series end (B8). */
  dropLastGpu(): void;
}

/** An exporter that answers as dcgm-exporter does, 8 GPUs of one node. */
export async function startGpuExporter(): Promise<GpuExporter> {
  let scrapes = 0;
  let gpus = GPUS;
  const server = createServer((_request, response) => {
    scrapes++;
    response.setHeader("content-type", "text/plain; version=0.0.4; charset=utf-8");
    response.end(exposition(gpus, scrapes));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    scrapes: () => scrapes,
    dropLastGpu: () => void (gpus = GPUS - 1),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function exposition(gpus: number, scrape: number): string {
  return FIELDS.map(([name, value]) => {
    const lines = Array.from({ length: gpus }, (_, gpu) => {
      const labels = `gpu="${gpu}",UUID="GPU-7a2e92f2-be71-d37e-a744-54160000000${gpu}",device="nvidia${gpu}",modelName="NVIDIA H200",Hostname="c11-n07"`;
      return `${name}{${labels},container="trainer",namespace="llm",pod="train-7b-a-${gpu}"} ${value(gpu, scrape)}`;
    });
    return `# HELP ${name} ${name}.\n# TYPE ${name} gauge\n${lines.join("\n")}\n`;
  }).join("");
}

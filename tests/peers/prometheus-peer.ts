import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import { freePort, startPeer, type PeerProcess } from "./peer-process.ts";

export interface PrometheusOrder {
  readonly program: string;
  readonly folder: string;
  readonly args?: readonly string[];
  readonly config: object;
}

/** Debian's Prometheus, running. */
export interface Prometheus extends PeerProcess {
  readonly url: string;
  readonly folder: string;
  reconfigure(config: object): Promise<void>;
  /** A metric of its own, summed over its labels; 0 where there is none. */
  own(metric: string): Promise<number>;
  /** All samples of the last `range`, stale markers apart, as its API gives them. */
  samples(range: string): Promise<readonly PrometheusSeries[]>;
}

export interface PrometheusSeries {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly (readonly [timeS: number, value: string])[];
}

export async function startPrometheus({ program, folder, args = [], config }: PrometheusOrder): Promise<Prometheus> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const file = join(folder, "prometheus.yml");
  await writeFile(file, stringify(config));
  const peer = await startPeer(
    program,
    [`--config.file=${file}`, `--storage.tsdb.path=${join(folder, "data")}`, `--web.listen-address=127.0.0.1:${port}`, ...args],
    `${url}/-/ready`,
  );
  return {
    ...peer,
    url,
    folder,
    async reconfigure(next) {
      await writeFile(file, stringify(next));
      peer.reload();
    },
    async own(metric) {
      const text = await (await fetch(`${url}/metrics`)).text();
      const values = text.split("\n").filter((line) => line.startsWith(`${metric}{`) || line.startsWith(`${metric} `));
      return values.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
    },
    async samples(range) {
      const query = encodeURIComponent(`{__name__=~".+"}[${range}]`);
      const response = await fetch(`${url}/api/v1/query?query=${query}`);
      const answer: { readonly data: { readonly result: readonly PrometheusSeries[] } } = JSON.parse(await response.text());
      return answer.data.result;
    },
  };
}

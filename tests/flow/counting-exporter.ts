import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An exporter whose every answer holds its own number, so that each that was taken can be found again. */
export interface CountingExporter extends AsyncDisposable {
  readonly url: string;
  /** Answers given so far; the n-th holds the value n on all of its series. */
  readonly served: () => number;
}

/** @param series of the metric `load_value`, beside `load_number` */
export async function countingExporter(series: number): Promise<CountingExporter> {
  let number = 0;
  const server = createServer((_, response) => {
    number++;
    const lines = Array.from({ length: series }, (__, index) => `load_value{index="${index}"} ${number}\n`);
    response.end(`load_number ${number}\n${lines.join("")}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`,
    served: () => number,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

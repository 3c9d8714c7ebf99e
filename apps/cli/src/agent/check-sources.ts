import type { AgentClock } from "./clock.ts";
import type { AgentConfig } from "./config/read-config.ts";
import { HttpClient } from "./http/request.ts";
import { messageOf } from "./message-of.ts";
import { BOOT_ID_FILE, readNodeIdentity } from "./node-identity.ts";
import type { SourceOutput } from "./source.ts";

/** What a source gave when it was tried. */
export interface CheckedSource {
  readonly name: string;
  readonly kind: string;
  /** Why it cannot be read; null where it can. */
  readonly fault: string | null;
  readonly readings: number;
  readonly events: number;
  readonly pushes: number;
}

/** Tries each source once, as on the very first start. Keeps nothing, sends nothing. */
export async function checkSources(config: AgentConfig, clock: AgentClock, stop: AbortSignal): Promise<readonly CheckedSource[]> {
  const node = await readNodeIdentity({ machineId: config.node.machineIdFile, bootId: BOOT_ID_FILE }, config.node);
  const http = new HttpClient();
  const checked: CheckedSource[] = [];
  for (const { name, kind, open } of config.sources) {
    const given = { readings: 0, events: 0, pushes: 0 };
    const take = ({ readings, events, pushes }: SourceOutput): Promise<void> => {
      given.readings += (readings ?? []).reduce((sum, { count }) => sum + count, 0);
      given.events += events?.length ?? 0;
      given.pushes += pushes?.length ?? 0;
      return Promise.resolve();
    };
    const source = open({ name, node, clock, http, take, state: () => undefined, say: () => undefined });
    const fault = await source.collect(stop).then(() => null, messageOf);
    await source.close();
    checked.push({ name, kind, fault, ...given });
  }
  http.close();
  return checked;
}

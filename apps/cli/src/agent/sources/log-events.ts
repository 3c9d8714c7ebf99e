import { uptime } from "node:os";
import { nodeKey } from "@trainwatch/core";
import type { FleetEvent } from "@trainwatch/core";
import { fabricManagerParser, kernelLogParser, ncclLogParser } from "@trainwatch/formats";
import type { HealthParser } from "@trainwatch/formats";
import type { SourceWorld } from "../source.ts";
import { fleetEventOf } from "./fleet-event-of.ts";
import { foldFlood } from "./fold-flood.ts";

/** Logs of a node that tell events, by what the configuration calls them. */
const LOG_READERS = { kernel: kernelLogParser, nccl: ncclLogParser, "fabric-manager": fabricManagerParser } as const;
export type LogReaderName = keyof typeof LOG_READERS;
export const LOG_READER_NAMES = ["kernel", "nccl", "fabric-manager"] as const satisfies readonly LogReaderName[];

const NEWLINE = Uint8Array.of(10);

/** Events of a log as its lines come. Remembers between lines what a line alone does not say, such as which GPU sits at an address. */
export class LogEvents {
  private readonly parser: HealthParser;
  private readonly world: SourceWorld;
  private bootTimeMs: number;
  private found: FleetEvent[] = [];

  /** @param timeZone of times that name none; undefined is UTC */
  constructor(log: LogReaderName, world: SourceWorld, timeZone: string | undefined) {
    this.world = world;
    this.bootTimeMs = bootTimeMs(world);
    const bootNow = (): number => this.bootTimeMs;
    this.parser = LOG_READERS[log](
      { event: (event) => void this.found.push(fleetEventOf(event, world.clock.now())), reading: () => undefined, issue: () => undefined },
      {
        node: nodeKey(world.node),
        referenceTimeMs: world.clock.now(),
        // Read with each line: where the clock is set after a boot, the moment of the boot moves with it.
        get bootTimeMs() {
          return bootNow();
        },
        ...(timeZone === undefined ? {} : { timeZone }),
      },
    );
  }

  /** @param lines whole lines; the last may lack its break where no more of it will come */
  read(lines: Uint8Array): readonly FleetEvent[] {
    this.bootTimeMs = bootTimeMs(this.world);
    this.parser.push(lines);
    if (lines.length > 0 && lines.at(-1) !== NEWLINE[0]) this.parser.push(NEWLINE);
    const found = this.found;
    this.found = [];
    return foldFlood(found);
  }
}

/** When the machine started, by its clock as it is set now, epoch ms. */
function bootTimeMs({ clock }: SourceWorld): number {
  return clock.now() - uptime() * 1000;
}

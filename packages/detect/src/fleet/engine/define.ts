import type { Finding } from "@trainwatch/core";
import { restoreState, storeState } from "../../json-state.ts";
import type { FleetContext, FleetDetectorEntry, FleetTick } from "../contract.ts";
import { choose } from "./choose.ts";
import type { Chosen, FleetManual, FleetParameter } from "./choose.ts";
import { EpisodeBook } from "./episode.ts";
import type { Episode } from "./episode.ts";
import { fleetFinding } from "./fleet-finding.ts";
import type { FleetTelling } from "./fleet-finding.ts";
import { indexOf } from "./topology.ts";

export interface Coverage {
  readonly sees: boolean;
  readonly why: string | null;
}

/** What a detector is made of, beside its manual. */
export interface FleetBody {
  /** Looks at a tick: sightings and calm go to the book. */
  tick(tick: FleetTick): void;
  tell(episode: Episode): FleetTelling;
  /** JSON-safe; what is at rest is not in it. */
  state(): unknown;
  coverage(): Coverage;
}

/** What a body gets. */
export interface FleetKit<Name extends string> {
  readonly chosen: Chosen<Name>;
  readonly book: EpisodeBook;
  /** What `state()` of an earlier body gave; undefined at the first start. */
  readonly stored: unknown;
}

interface DetectorState {
  episodes: unknown;
  body: unknown;
}

/** A fleet detector out of its manual and its body: parameters chosen, episodes kept, findings told, state stored by version. */
export function defineFleetDetector<Name extends string>(
  manual: FleetManual,
  parameters: readonly FleetParameter<Name | "clear_s" | "fold_s">[],
  start: (kit: FleetKit<Name | "clear_s" | "fold_s">) => FleetBody,
): FleetDetectorEntry {
  return {
    ...manual,
    parameters,
    create(context: FleetContext, stored?: unknown) {
      const chosen = choose(manual.id, parameters, context);
      const state = restoreState<DetectorState>(stored, manual.version, () => ({ episodes: null, body: null }));
      const book = new EpisodeBook({ clearMs: chosen("clear_s") * 1000, foldMs: chosen("fold_s") * 1000 }, state.episodes);
      const body = start({ chosen, book, stored: state.body ?? undefined });
      return {
        tick(tick): readonly Finding[] {
          book.begin(indexOf(tick.topology).cordoned);
          body.tick(tick);
          return book.settle(tick.timeMs).map((episode) => fleetFinding(manual, episode, body.tell(episode)));
        },
        state: () => storeState(manual.version, { episodes: book.store(), body: body.state() ?? null }),
        coverage: () => body.coverage(),
      };
    },
  };
}

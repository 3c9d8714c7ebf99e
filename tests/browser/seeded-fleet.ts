import { createHash } from "node:crypto";
import {
  encodeFrame,
  type FleetEventsPush,
  type FrameAnswer,
  type FrameDictionary,
  type FrameRow,
  type FrameSeries,
} from "@trainwatch/core";
import { fleetValues, type FleetFault } from "@trainwatch/simulate";

export const GPUS_PER_NODE = 8;
export const NODES_PER_RACK = 16;

export interface SeededNode {
  readonly host: string;
  readonly rack: string;
  readonly machineId: string;
  readonly gpus: readonly string[];
}

export interface SeededFleet {
  readonly nodes: readonly SeededNode[];
  /** Sends the readings of all nodes at a time. `silent` nodes send nothing, `without` of a field. */
  readonly send: (timeMs: number, how?: { readonly silent?: (node: number) => boolean }) => Promise<number>;
  readonly tell: (events: FleetEventsPush) => Promise<void>;
}

export interface FleetShape {
  readonly url: string;
  readonly token: string;
  readonly nodes: number;
  readonly startMs: number;
  readonly faults?: readonly FleetFault[];
}

/** Nodes a frame: one series dictionary each, in all well under what a header may hold. */
const NODES_A_FRAME = 256;
const LETTERS = "ABCDEFGHIJKLMNOP";
/** The simulated hours are always the same ones: a page must not depend on the time of day at which the tests run. */
const SIMULATED_START_MS = Date.UTC(2026, 0, 5, 9);

/** A fleet that sends frames as agents do: hosts c11-n07, racks of 16 nodes, 8 GPUs each. Its values depend on the time since `startMs` alone. */
export function seedFleet({ url, token, nodes: count, startMs, faults = [] }: FleetShape): SeededFleet {
  const shiftMs = SIMULATED_START_MS - startMs;
  const values = fleetValues({
    seed: 5,
    nodes: count,
    startMs: SIMULATED_START_MS,
    nodesPerRack: NODES_PER_RACK,
    faults: faults.map((fault) => ({
      ...fault,
      atMs: fault.atMs + shiftMs,
      ...(fault.untilMs === undefined ? {} : { untilMs: fault.untilMs + shiftMs }),
    })),
  });
  const { fill } = values;
  const nodes = Array.from({ length: count }, (_, node): SeededNode => {
    const place = Math.floor(node / NODES_PER_RACK);
    const rack = `${LETTERS[Math.floor(place / 16)] ?? "Z"}${String((place % 16) + 1).padStart(2, "0")}`;
    const host = `${rack.toLowerCase()}-n${String((node % NODES_PER_RACK) + 1).padStart(2, "0")}`;
    return { host, rack, machineId: createHash("sha256").update(host).digest("hex").slice(0, 32), gpus: values.gpus(node) };
  });
  const post = async <T>(verb: string, body: BodyInit, type: string): Promise<T> => {
    const response = await fetch(`${url}/trpc/${verb}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": type },
      body,
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${verb} answered ${response.status}: ${JSON.stringify(answer)}`);
    return answer.result.data;
  };
  return {
    nodes,
    async send(timeMs, { silent = () => false } = {}) {
      let accepted = 0;
      for (let first = 0; first < count; first += NODES_A_FRAME) {
        const here = nodes
          .slice(first, first + NODES_A_FRAME)
          .flatMap((node, at) => (silent(first + at) ? [] : [{ node, index: first + at }]));
        const dictionaries = here.map(({ node }) => dictionaryOf(node, values.fields));
        const rows = here.map(({ index }, dictionary): FrameRow => {
          const row = new Float64Array(values.width);
          fill(row, 0, index, timeMs + shiftMs);
          return { dictionary, timeMs, presence: null, values: new Uint8Array(row.buffer) };
        });
        const body = encodeFrame({ source: `seed/${first}`, dictionaries }, rows);
        const answer = await post<FrameAnswer>("ingest.frame", new Blob([new Uint8Array(body)]), "application/octet-stream");
        if (answer.refusedTotal > 0) throw new Error(`the fleet was refused: ${JSON.stringify(answer.refused[0])}`);
        accepted += answer.accepted;
      }
      return accepted;
    },
    async tell(events) {
      await post("ingest.events", JSON.stringify(events), "application/json");
    },
  };
}

function dictionaryOf({ host, rack, machineId, gpus }: SeededNode, fields: readonly string[]): FrameDictionary {
  const series = fields.flatMap((field) =>
    gpus.map((UUID, gpu): FrameSeries => [field, { gpu: String(gpu), UUID, modelName: "NVIDIA H100 80GB HBM3" }]),
  );
  const shared = { Hostname: host, machine_id: machineId, rack, instance: `${host}:9400`, job: "dcgm" };
  return {
    digest: createHash("sha256")
      .update(JSON.stringify([shared, series]))
      .digest("hex"),
    shared,
    series,
  };
}

import type { FleetColumn, FleetTick } from "../contract.ts";
import { rowsOf } from "./rows.ts";
import type { TopologyIndex } from "./topology.ts";

/** Links of a column, by GPU and by number: what is derived once for its entities. */
export interface LinkRows {
  /** Rows of each GPU's links. */
  readonly byGpu: readonly Int32Array[];
  /** Rows of each link number. */
  readonly byNumber: readonly Int32Array[];
  readonly number: Int32Array;
}

const LINKS = new WeakMap<readonly string[], { readonly index: TopologyIndex; readonly links: LinkRows }>();

export function linksOf(column: FleetColumn, tick: FleetTick): LinkRows {
  const { index, gpu } = rowsOf(column, tick);
  const known = LINKS.get(column.entities);
  if (known !== undefined && known.index === index) return known.links;
  const byGpu = new Map<number, number[]>();
  const byNumber: number[][] = [];
  const number = new Int32Array(column.entities.length).fill(-1);
  for (const [row, id] of column.entities.entries()) {
    const link = Number(id.slice(id.lastIndexOf("/") + 1));
    const at = gpu[row] ?? -1;
    if (!id.includes("/link/") || !Number.isInteger(link) || at < 0) continue;
    number[row] = link;
    (byNumber[link] ??= []).push(row);
    const own = byGpu.get(at);
    if (own === undefined) byGpu.set(at, [row]);
    else own.push(row);
  }
  const links = {
    byGpu: [...byGpu.values()].map((rows) => Int32Array.from(rows)),
    byNumber: Array.from(byNumber, (rows) => Int32Array.from(rows ?? [])),
    number,
  };
  LINKS.set(column.entities, { index, links });
  return links;
}

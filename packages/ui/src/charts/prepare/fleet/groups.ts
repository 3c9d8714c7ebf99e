import type { FleetLayout } from "@trainwatch/core";

/** By what the cells of the map stand together. */
export const FLEET_GROUPINGS = ["rack", "node", "stage"] as const;
export type FleetGrouping = (typeof FLEET_GROUPINGS)[number];

/** One line of a group: a node's GPUs, or some ranks of a stage. */
export interface FleetRow {
  /** Host; "" in a stage, whose rows name no one node. */
  readonly title: string;
  /** Index into the layout's GPUs; -1 where nothing sits in that slot. */
  readonly cells: readonly number[];
}

export interface FleetGroup {
  readonly title: string;
  readonly rows: readonly FleetRow[];
  /** Where names such as C11 say which row and column it stands in; null: in order, as many a line as fit. */
  readonly place: { readonly row: number; readonly column: number } | null;
}

export interface FleetGroups {
  readonly grouping: FleetGrouping;
  readonly groups: readonly FleetGroup[];
  /** Cells a row at most. */
  readonly columns: number;
  /** Titles of the grid's rows and columns where the names make one: A, B … and 01, 02 …; null where they do not. */
  readonly matrix: { readonly rows: readonly string[]; readonly columns: readonly string[] } | null;
}

/** A node of more GPUs or MIG instances takes several rows. */
const NODE_COLUMNS = 8;
/** What stands where a source names no rack or stage. */
const NO_RACK = "rack unknown";
const NO_STAGE = "no stage";

/** Which groupings this fleet can be seen by, with the reason for those that it cannot. */
export function groupingOptions(layout: FleetLayout): readonly { readonly value: FleetGrouping; readonly unavailable: string | null }[] {
  const hasRacks = layout.nodes.some((node) => node.rack !== null);
  const hasStages = layout.gpu.stage.some((stage) => stage !== null);
  return [
    { value: "rack", unavailable: hasRacks ? null : "no source names the racks of these nodes" },
    { value: "node", unavailable: null },
    { value: "stage", unavailable: hasStages ? null : "no run has told which GPU holds which pipeline stage" },
  ];
}

/** What is asked for where the fleet has it; else racks, else nodes. */
export function shownGrouping(asked: FleetGrouping | undefined, layout: FleetLayout): FleetGrouping {
  const offered = groupingOptions(layout).filter((option) => option.unavailable === null);
  return offered.find((option) => option.value === asked)?.value ?? offered[0]?.value ?? "node";
}

export function groupFleet(layout: FleetLayout, grouping: FleetGrouping): FleetGroups {
  if (grouping === "stage") return byStage(layout);
  const rowsOfNode = nodeRows(layout);
  const columns = Math.max(1, ...rowsOfNode.flatMap((rows) => rows.map((row) => row.cells.length)));
  const byTitle = new Map<string, FleetRow[]>();
  nodesInOrder(layout).forEach((node) => {
    const title = grouping === "rack" ? (layout.nodes[node]?.rack ?? NO_RACK) : (layout.nodes[node]?.host ?? "");
    const key = grouping === "rack" ? title : String(node);
    const rows = byTitle.get(key) ?? [];
    rows.push(...(rowsOfNode[node] ?? []));
    byTitle.set(key, rows);
  });
  if (grouping === "node") {
    const groups = [...byTitle.values()].map((rows): FleetGroup => ({ title: rows[0]?.title ?? "", rows, place: null }));
    return { grouping, groups, columns, matrix: null };
  }
  const titles = [...byTitle.keys()].sort(naturally);
  const matrix = matrixOf(titles.filter((title) => title !== NO_RACK));
  const groups = titles.map((title): FleetGroup => ({ title, rows: byTitle.get(title) ?? [], place: matrix?.places.get(title) ?? null }));
  return { grouping, groups, columns, matrix };
}

/** Rows of each node of the layout, a GPU in the slot of its index where the indexes of the node are told and differ. */
function nodeRows(layout: FleetLayout): readonly (readonly FleetRow[])[] {
  const ofNode: number[][] = layout.nodes.map(() => []);
  layout.gpu.node.forEach((node, gpu) => ofNode[node]?.push(gpu));
  return ofNode.map((gpus, node) => {
    const title = layout.nodes[node]?.host ?? "";
    return rowsOf(slotted(gpus, layout), NODE_COLUMNS).map((cells, row) => ({ title: row === 0 ? title : "", cells }));
  });
}

function slotted(gpus: readonly number[], layout: FleetLayout): readonly number[] {
  const indexes = gpus.map((gpu) => layout.gpu.index[gpu] ?? null);
  const told = indexes.every((index) => index !== null && index >= 0 && index < 64) && new Set(indexes).size === gpus.length;
  if (!told) return gpus;
  const slots: number[] = [];
  gpus.forEach((gpu, at) => (slots[indexes[at] ?? at] = gpu));
  return Array.from(slots, (gpu) => gpu ?? -1);
}

function rowsOf(cells: readonly number[], columns: number): readonly (readonly number[])[] {
  const rows: (readonly number[])[] = [];
  for (let start = 0; start < Math.max(1, cells.length); start += columns) rows.push(cells.slice(start, start + columns));
  return rows;
}

/** Ranks of a pipeline stage, in rows of a width that makes the largest stage about as high as it is wide. */
function byStage(layout: FleetLayout): FleetGroups {
  const ofStage = new Map<string, number[]>();
  const order = layout.gpu.id.map((_, gpu) => gpu).sort((a, b) => rankOf(layout, a) - rankOf(layout, b) || a - b);
  for (const gpu of order) {
    const stage = layout.gpu.stage[gpu] ?? null;
    const title = stage === null ? NO_STAGE : String(stage);
    const gpus = ofStage.get(title) ?? [];
    gpus.push(gpu);
    ofStage.set(title, gpus);
  }
  const largest = Math.max(1, ...[...ofStage.values()].map((gpus) => gpus.length));
  const columns = Math.max(8, Math.ceil(Math.sqrt(largest * CELL_ASPECT) / 8) * 8);
  const groups = [...ofStage.keys()].sort(naturally).map((title): FleetGroup => ({
    title: title === NO_STAGE ? title : `stage ${title}`,
    rows: rowsOf(ofStage.get(title) ?? [], columns).map((cells) => ({ title: "", cells })),
    place: null,
  }));
  return { grouping: "stage", groups, columns, matrix: null };
}

/** Height of a cell over its width. */
export const CELL_ASPECT = 4 / 7;

function rankOf(layout: FleetLayout, gpu: number): number {
  return layout.gpu.rank[gpu] ?? Number.MAX_SAFE_INTEGER;
}

function nodesInOrder(layout: FleetLayout): readonly number[] {
  return layout.nodes.map((_, node) => node).sort((a, b) => naturally(layout.nodes[a]?.host ?? "", layout.nodes[b]?.host ?? ""));
}

const NATURAL = new Intl.Collator("en", { numeric: true });
/** `n9` before `n10`; what is unknown last. */
export function naturally(a: string, b: string): number {
  const last = Number(a === NO_RACK || a === NO_STAGE) - Number(b === NO_RACK || b === NO_STAGE);
  return last !== 0 ? last : NATURAL.compare(a, b);
}

interface RackMatrix {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly places: ReadonlyMap<string, { readonly row: number; readonly column: number }>;
}

/** A hall's rows have letters and its racks numbers: C11, or row-c-rack-11. A grid with many holes is no grid. */
const MATRIX_FILL = 0.6;
const MATRIX_COLUMNS = 40;

function matrixOf(titles: readonly string[]): RackMatrix | null {
  const parsed = titles.map((title) => /^(.*?[A-Za-z])[-_ ]?(\d{1,3})$/.exec(title));
  if (titles.length < 4 || parsed.some((match) => match === null)) return null;
  const rows = [...new Set(parsed.map((match) => match?.[1] ?? ""))].sort(naturally);
  const columns = [...new Set(parsed.map((match) => match?.[2] ?? ""))].sort(naturally);
  const isGrid = rows.length > 1 && columns.length > 1 && columns.length <= MATRIX_COLUMNS;
  if (!isGrid || titles.length < MATRIX_FILL * rows.length * columns.length) return null;
  const places = new Map(
    titles.map((title, index) => [
      title,
      { row: rows.indexOf(parsed[index]?.[1] ?? ""), column: columns.indexOf(parsed[index]?.[2] ?? "") },
    ]),
  );
  return { rows, columns, places };
}

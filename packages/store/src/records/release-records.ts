import { gateSchema, type Gate, type ReleaseOverride, type ReleaseSignature, type ReleaseSpec } from "@trainwatch/core";
import type { Db } from "./db.ts";
import { asJson } from "./json.ts";
import { lockNames } from "./name-lock.ts";
import { listReleases, type ReleaseListQuestion } from "./release-list.ts";
import { type StoredRelease, storedRelease, type StoredReleaseGate, type StoredReleaseOverride } from "./stored-release.ts";

export interface NewSignature extends ReleaseSignature {
  readonly releaseId: number;
}

export interface ReleaseRecords {
  /** Newest first. */
  list(
    question: ReleaseListQuestion,
  ): Promise<{ readonly items: readonly StoredRelease[]; readonly total: number; readonly next: string | null }>;
  get(id: number): Promise<StoredRelease | null>;
  /** As `get`; until the transaction ends nobody else changes, signs or deletes it. */
  lock(id: number): Promise<StoredRelease | null>;
  /** Id of the release that is called so. Who gives the name next waits until the transaction ends, so that what this says still holds then. */
  named(name: string): Promise<number | null>;
  /** Null where the name is taken. `models`: of the columns, the baseline first. */
  create(spec: ReleaseSpec, models: readonly string[], actor: string, nowMs: number): Promise<StoredRelease | null>;
  /** Another spec in its place; gates stay, overrides too unless the baseline is another. `resultsBefore`: at least so many were there before the gates. Call it under `lock`. */
  setSpec(id: number, spec: ReleaseSpec, models: readonly string[], resultsBefore: number | null): Promise<void>;
  /** Other gates in place of those there are, whose overrides go with them. Call it under `lock`. */
  setGates(id: number, gates: readonly Gate[], resultsBefore: number, nowMs: number): Promise<void>;
  gates(id: number): Promise<readonly StoredReleaseGate[]>;
  overrides(id: number): Promise<readonly StoredReleaseOverride[]>;
  /** False where it is allowed already. */
  overrideGate(id: number, gateId: number, told: Omit<ReleaseOverride, "rowKey">): Promise<boolean>;
  overrideComparison(id: number, told: ReleaseOverride): Promise<boolean>;
  signatures(id: number): Promise<readonly ReleaseSignature[]>;
  /** Keeps the copy that is signed for. Call it under `lock`, once. */
  freeze(
    id: number,
    frozen: { readonly body: string; readonly hash: string; readonly rows: number; readonly scorecardId: number; readonly atMs: number },
  ): Promise<void>;
  /** False where the role has signed. */
  sign(signature: NewSignature): Promise<boolean>;
  frozen(id: number): Promise<{ readonly body: string; readonly hash: string; readonly atMs: number } | null>;
  /** False where it is gone. */
  delete(id: number): Promise<boolean>;
  /** Those that are there, in the order of `ids`. */
  known(ids: readonly number[]): Promise<readonly StoredRelease[]>;
  /** Signed releases that chose one of these scorecards. */
  choosing(
    scorecardIds: readonly number[],
  ): Promise<readonly { readonly releaseId: number; readonly name: string; readonly scorecardId: number }[]>;
  /** What people have allowed of one of these scorecards in any release, newest first. */
  allowances(
    scorecardIds: readonly number[],
    limit: number,
  ): Promise<readonly (StoredReleaseOverride & { readonly releaseId: number; readonly name: string })[]>;
  /** The newest release that has one of these scorecards as a candidate, with its baseline. */
  newestWith(scorecardIds: readonly number[]): Promise<StoredRelease | null>;
}

export function createReleaseRecords(db: Db): ReleaseRecords {
  const get = async (id: number): Promise<StoredRelease | null> => (await storedReleases(db, [id]))[0] ?? null;
  const allow = async (
    id: number,
    gateId: number | null,
    rowKey: string | null,
    told: Omit<ReleaseOverride, "rowKey">,
  ): Promise<boolean> => {
    const { scorecardId, reason, actor, atMs } = told;
    const key = JSON.stringify([gateId, rowKey, scorecardId]);
    const data = [{ releaseId: id, gateId, rowKey, scorecardId, reason, actor, atMs, key }];
    // `ON CONFLICT DO NOTHING`: a unique violation would abort the transaction around it.
    const { count } = await db.releaseOverride.createMany({ data, skipDuplicates: true });
    await db.release.updateMany({ where: { id }, data: { version: { increment: 1 } } });
    return count === 1;
  };
  return {
    get,
    list: (question) => listReleases(db, question, (ids) => storedReleases(db, ids)),
    async lock(id) {
      await db.$queryRaw`SELECT id FROM release WHERE id = ${id} FOR UPDATE`;
      return get(id);
    },
    async named(name) {
      await lockNames(db);
      return (await db.release.findUnique({ where: { name }, select: { id: true } }))?.id ?? null;
    },
    async create(spec, models, actor, nowMs) {
      const data = [{ name: spec.name, spec: asJson(spec), createdBy: actor, createdAtMs: nowMs }];
      const [row] = await db.release.createManyAndReturn({ data, skipDuplicates: true, select: { id: true } });
      if (row === undefined) return null;
      await setColumns(db, row.id, spec, models);
      return get(row.id);
    },
    async setSpec(id, spec, models, resultsBefore) {
      await db.release.update({
        where: { id },
        data: { name: spec.name, spec: asJson(spec), resultsBeforeGates: resultsBefore, version: { increment: 1 } },
      });
      // What was allowed was allowed against one baseline's settings and results.
      const isSameBaseline = (await db.releaseColumn.count({ where: { releaseId: id, ordinal: 0, scorecardId: spec.baselineId } })) === 1;
      if (!isSameBaseline) await db.releaseOverride.deleteMany({ where: { releaseId: id } });
      await db.releaseColumn.deleteMany({ where: { releaseId: id } });
      await setColumns(db, id, spec, models);
    },
    async setGates(id, gates, resultsBefore, nowMs) {
      await db.releaseGate.deleteMany({ where: { releaseId: id } });
      await db.releaseGate.createMany({ data: gates.map((gate, ordinal) => ({ releaseId: id, ordinal, body: asJson(gate) })) });
      await db.release.update({
        where: { id },
        data: { gatesFixedAtMs: nowMs, resultsBeforeGates: resultsBefore, version: { increment: 1 } },
      });
    },
    async gates(id) {
      const rows = await db.releaseGate.findMany({ where: { releaseId: id }, orderBy: { ordinal: "asc" } });
      return rows.map((row) => ({ gateId: row.id, gate: gateSchema.parse(row.body) }));
    },
    async overrides(id) {
      return db.releaseOverride.findMany({ where: { releaseId: id }, orderBy: { id: "asc" } });
    },
    overrideGate: (id, gateId, told) => allow(id, gateId, null, told),
    overrideComparison: (id, { rowKey, ...told }) => allow(id, null, rowKey, told),
    async signatures(id) {
      const rows = await db.releaseSignature.findMany({ where: { releaseId: id }, orderBy: [{ atMs: "asc" }, { role: "asc" }] });
      return rows.map(({ releaseId: _releaseId, ...signature }) => signature);
    },
    async freeze(id, { body, hash, rows, scorecardId, atMs }) {
      const data = { frozenBody: body, frozenHash: hash, frozenRows: rows, frozenAtMs: atMs, chosenScorecardId: scorecardId };
      await db.release.updateMany({ where: { id, frozenHash: null }, data });
    },
    async sign(signature) {
      return (await db.releaseSignature.createMany({ data: [signature], skipDuplicates: true })).count === 1;
    },
    async frozen(id) {
      const row = await db.release.findUnique({ where: { id }, select: { frozenBody: true, frozenHash: true, frozenAtMs: true } });
      if (row === null || row.frozenBody === null || row.frozenHash === null || row.frozenAtMs === null) return null;
      return { body: row.frozenBody, hash: row.frozenHash, atMs: row.frozenAtMs };
    },
    async delete(id) {
      return (await db.release.deleteMany({ where: { id } })).count === 1;
    },
    known: (ids) => storedReleases(db, ids),
    async choosing(scorecardIds) {
      const rows = await db.release.findMany({
        where: { chosenScorecardId: { in: [...scorecardIds] } },
        orderBy: { id: "desc" },
        select: { id: true, name: true, chosenScorecardId: true },
      });
      return rows.map(({ id, name, chosenScorecardId }) => ({ releaseId: id, name, scorecardId: chosenScorecardId ?? 0 }));
    },
    async allowances(scorecardIds, limit) {
      const rows = await db.releaseOverride.findMany({
        where: { scorecardId: { in: [...scorecardIds] } },
        orderBy: { id: "desc" },
        take: limit,
        include: { release: { select: { name: true } } },
      });
      return rows.map(({ release, ...row }) => ({ ...row, name: release.name }));
    },
    async newestWith(scorecardIds) {
      const where = { scorecardId: { in: [...scorecardIds] }, ordinal: { gt: 0 } };
      const row = await db.releaseColumn.findFirst({ where, orderBy: { releaseId: "desc" } });
      return row === null ? null : get(row.releaseId);
    },
  };
}

async function setColumns(db: Db, releaseId: number, { baselineId, candidateIds }: ReleaseSpec, models: readonly string[]): Promise<void> {
  const data = [baselineId, ...candidateIds].map((scorecardId, ordinal) => ({
    releaseId,
    ordinal,
    scorecardId,
    model: models[ordinal] ?? "",
  }));
  await db.releaseColumn.createMany({ data });
}

/** In the order of `ids`. */
async function storedReleases(db: Db, ids: readonly number[]): Promise<readonly StoredRelease[]> {
  // Not the frozen body: it may be large, and only the verbs that show it want it.
  const rows = await db.release.findMany({ where: { id: { in: [...ids] } }, omit: { frozenBody: true } });
  const columns = await db.releaseColumn.findMany({ where: { releaseId: { in: [...ids] } }, orderBy: { ordinal: "asc" } });
  const gates = await db.releaseGate.groupBy({ by: ["releaseId"], where: { releaseId: { in: [...ids] } }, _count: true });
  const signatures = await db.releaseSignature.findMany({
    where: { releaseId: { in: [...ids] } },
    select: { releaseId: true, role: true },
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    if (row === undefined) return [];
    return [
      storedRelease(row, {
        columns: columns.filter(({ releaseId }) => releaseId === id),
        gates: gates.find(({ releaseId }) => releaseId === id)?._count ?? 0,
        roles: signatures.filter(({ releaseId }) => releaseId === id).map(({ role }) => role),
      }),
    ];
  });
}

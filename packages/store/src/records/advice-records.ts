import { adviceSchema, type Advice } from "@trainwatch/core";
import type { Advice as AdviceRow } from "../generated/client.ts";
import type { Db } from "./db.ts";
import { asJson } from "./json.ts";

export interface StoredAdvice {
  readonly id: number;
  readonly incidentId: number;
  readonly advice: Advice;
  readonly createdAtMs: number;
}

export interface AdviceRecords {
  create(incidentId: number, advice: Advice, nowMs: number): Promise<StoredAdvice>;
  get(id: number): Promise<StoredAdvice | null>;
  /** As `get`; until the transaction ends nobody else can lock, revise or decide on it. */
  lock(id: number): Promise<StoredAdvice | null>;
  /** Replaces what it says, unless somebody has decided on it: then nothing happens and null is answered. Call it inside a transaction. */
  revise(id: number, advice: Advice): Promise<StoredAdvice | null>;
  /** The newest of an incident. */
  latest(incidentId: number): Promise<StoredAdvice | null>;
}

export function createAdviceRecords(db: Db): AdviceRecords {
  const lock = async (id: number): Promise<StoredAdvice | null> => {
    await db.$queryRaw`SELECT id FROM advice WHERE id = ${id} FOR UPDATE`;
    const row = await db.advice.findUnique({ where: { id } });
    return row === null ? null : storedAdvice(row);
  };
  return {
    lock,
    async revise(id, advice) {
      // A decision locks the advice first: once we hold it, one that was made is there to be seen.
      if ((await lock(id)) === null || (await db.decision.count({ where: { adviceId: id } })) > 0) return null;
      return storedAdvice(await db.advice.update({ where: { id }, data: { action: advice.action, body: asJson(advice) } }));
    },
    async create(incidentId, advice, nowMs) {
      return storedAdvice(
        await db.advice.create({ data: { incidentId, action: advice.action, body: asJson(advice), createdAtMs: nowMs } }),
      );
    },
    async get(id) {
      const row = await db.advice.findUnique({ where: { id } });
      return row === null ? null : storedAdvice(row);
    },
    async latest(incidentId) {
      const row = await db.advice.findFirst({ where: { incidentId }, orderBy: { id: "desc" } });
      return row === null ? null : storedAdvice(row);
    },
  };
}

export function storedAdvice({ id, incidentId, body, createdAtMs }: AdviceRow): StoredAdvice {
  return { id, incidentId, advice: adviceSchema.parse(body), createdAtMs };
}

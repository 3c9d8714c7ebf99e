import { PrismaPg } from "@prisma/adapter-pg";
import { ColumnTypeEnum, type SqlQuery } from "@prisma/driver-adapter-utils";
import type pg from "pg";

const CHAR_OID = 18;
/** A type that no catalogue query of the schema engine returns, and that the adapter has a column type for. */
const CHAR_ARRAY_OID = 1002;

/**
 * The adapter for the schema engine. Catalogues of PostgreSQL have columns of the one-byte type "char", which the engine must read as
 * characters when it compares schemas, and which the adapter refuses. So they pass the adapter under another type and get theirs back after it.
 */
export function characterAdapter(pool: pg.Pool): PrismaPg {
  const query = pool.query.bind(pool);
  const disguised = async (config: pg.QueryConfig): Promise<pg.QueryResult> => {
    const result = await query(config);
    for (const field of result.fields) if (field.dataTypeID === CHAR_OID) field.dataTypeID = CHAR_ARRAY_OID;
    return result;
  };
  const factory = new PrismaPg(Object.assign(pool, { query: disguised }));
  const connect = factory.connect.bind(factory);
  return Object.assign(factory, {
    async connect() {
      const adapter = await connect();
      const queryRaw = adapter.queryRaw.bind(adapter);
      return Object.assign(adapter, {
        async queryRaw(question: SqlQuery) {
          const answer = await queryRaw(question);
          return {
            ...answer,
            columnTypes: answer.columnTypes.map((type) => (type === ColumnTypeEnum.CharacterArray ? ColumnTypeEnum.Character : type)),
          };
        },
      });
    },
  });
}

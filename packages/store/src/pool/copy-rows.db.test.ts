import { createTestStore } from "@trainwatch/testkit";
import { expect, it } from "vitest";
import { copyRows } from "./copy-rows.ts";
import { numberArray } from "./number-array.ts";
import { readRows } from "./read-rows.ts";

/** Lengths around that of the pieces in which rows are sent, and beyond. */
const BYTES = [0, 1, 17, 65_490, 65_531, 65_532, 65_533, 65_536, 200_000];

it("rows come back as they were sent, whatever their length does to the pieces in which they are sent", async () => {
  await using world = await createTestStore();
  const client = await world.store.pool.connect();
  try {
    await client.query("CREATE TEMP TABLE sent (n int, small int2, large int8, number float8, flag bool, data bytea)");
    const rows = Array.from({ length: 6_000 }, (_, n) => ({
      n,
      small: (n % 200) - 100,
      large: n * 2 ** 33,
      number: n % 5 === 0 ? null : n / 7,
      flag: n % 2 === 0,
      data: Buffer.alloc(n % 100 === 0 ? (BYTES[(n / 100) % BYTES.length] ?? 0) : n % 40, n % 251),
    }));
    await copyRows(client, "sent (n, small, large, number, flag, data)", (to) => {
      for (const { n, small, large, number, flag, data } of rows) {
        to.row(6);
        to.int4(n);
        to.int2(small);
        to.int8(large);
        to.float8(number);
        to.bool(flag);
        to.bytea(data);
      }
    });
    const back = await readRows(client, "SELECT n, small, large, number, flag, data FROM sent ORDER BY n", (row) => ({
      n: row.int4(),
      small: row.int2(),
      large: row.int8(),
      number: row.float8OrNull(),
      flag: row.bool(),
      data: row.bytea(),
    }));
    expect(back.length).toBe(rows.length);
    // Buffers as hexadecimal: a view of what was received is not the buffer that was sent.
    const plain = (row: { readonly data: Buffer }) => ({ ...row, data: row.data.toString("hex") });
    expect(back.map(plain)).toEqual(rows.map(plain));

    const numbers = [1, null, -0.1, Number.NaN, Infinity, -Infinity, 2 ** 53, 5e-324, null];
    const { rows: found } = await client.query<{ one: number | null }>("SELECT unnest($1::float8[]) AS one", [numberArray(numbers)]);
    expect(found.map(({ one }) => one)).toEqual(numbers);
    expect(numberArray([])).toBe("{}");
  } finally {
    client.release();
  }
});

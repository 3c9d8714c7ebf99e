import { createTestDatabase } from "@trainwatch/testkit";
import { expect, it } from "vitest";
import { createPool } from "./pool.ts";

it("tells of an idle connection that was lost in a few words, and opens another", async () => {
  await using database = await createTestDatabase();
  let tell: (why: string) => void = () => undefined;
  const told = new Promise<string>((resolve) => {
    tell = resolve;
  });
  const pool = createPool({ url: database.url, size: 2, onIdleLoss: tell });
  try {
    const [killer, idle] = await Promise.all([pool.connect(), pool.connect()]);
    const { rows } = await idle.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    idle.release();
    await killer.query("SELECT pg_terminate_backend($1)", [rows[0]?.pid]);
    killer.release();
    expect(await told).toBe("terminating connection due to administrator command (57P01)");
    expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  } finally {
    await pool.end();
  }
});

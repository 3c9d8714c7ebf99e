import { createTestDatabase } from "@trainwatch/testkit";
import { expect, it } from "vitest";
import { createPool } from "./pool.ts";

it("tells once, in a few words, of idle connections that are lost together, and opens others", async () => {
  await using database = await createTestDatabase();
  const told: string[] = [];
  const pool = createPool({ url: database.url, size: 4, onIdleLoss: (why) => void told.push(why) });
  try {
    const [killer, ...idle] = await Promise.all([pool.connect(), pool.connect(), pool.connect(), pool.connect()]);
    const lost = Promise.all(idle.map((client) => new Promise((resolve) => client.once("end", () => resolve(null)))));
    const pids = await Promise.all(idle.map((client) => client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")));
    for (const client of idle) client.release();
    await killer.query("SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid", [pids.map(({ rows }) => rows[0]?.pid)]);
    killer.release();
    await lost;
    expect(told).toEqual(["terminating connection due to administrator command (57P01)"]);
    expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  } finally {
    await pool.end();
  }
});

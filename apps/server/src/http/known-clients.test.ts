import { createFakeClock } from "@trainwatch/testkit";
import fastify, { type FastifyRequest } from "fastify";
import { describe, expect, it } from "vitest";
import { createKnownClients } from "./known-clients.ts";

/** Real requests, as Fastify makes them. */
async function request(headers: Record<string, string>, remoteAddress = "10.0.0.1"): Promise<FastifyRequest> {
  const app = fastify();
  const seen = new Promise<FastifyRequest>((resolve) => app.get("/", (each) => (resolve(each), "")));
  await app.inject({ method: "GET", url: "/", headers, remoteAddress });
  return seen;
}

describe("what requests are counted by", () => {
  it("is the address for whoever has proved nothing, whatever they show", async () => {
    const clients = createKnownClients(createFakeClock().now);
    const shown = [{}, { authorization: "Bearer a" }, { authorization: "Bearer b" }, { cookie: "c=1" }];
    expect(new Set(await Promise.all(shown.map(async (headers) => clients.keyOf(await request(headers)))))).toEqual(
      new Set(["address 10.0.0.1"]),
    );
    expect(clients.keyOf(await request({}, "10.0.0.2"))).toBe("address 10.0.0.2");
  });

  it("is the token once it was good, from any address, until it was silent for long", async () => {
    const clock = createFakeClock();
    const clients = createKnownClients(clock.now);
    const good = { authorization: "Bearer good" };
    clients.proved(await request(good), 7);
    expect(clients.keyOf(await request(good, "10.0.0.9"))).toBe("token 7");
    expect(clients.keyOf(await request({ authorization: "Bearer other" }))).toBe("address 10.0.0.1");
    clock.advance(11 * 60_000);
    expect(clients.keyOf(await request(good))).toBe("address 10.0.0.1");
  });

  it("keeps a bounded number in mind, the newest", async () => {
    const clients = createKnownClients(createFakeClock().now);
    const base = await request({});
    const as = (name: number): FastifyRequest => Object.assign(Object.create(base), { headers: { authorization: `Bearer ${name}` } });
    Object.defineProperty(base, "ip", { value: "10.0.0.1" });
    for (let name = 0; name < 10_050; name++) clients.proved(as(name), name);
    expect([clients.keyOf(as(0)), clients.keyOf(as(49)), clients.keyOf(as(50)), clients.keyOf(as(10_049))]).toEqual([
      "address 10.0.0.1",
      "address 10.0.0.1",
      "token 50",
      "token 10049",
    ]);
  });
});

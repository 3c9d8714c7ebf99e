import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

const ROOT = join(import.meta.dirname, "../..");

interface Service {
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes: readonly string[];
  readonly healthcheck: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

const compose: { services: Record<string, Service>; volumes: Record<string, unknown> } = parse(
  readFileSync(join(ROOT, "docker-compose.yml"), "utf8"),
);
const server = compose.services["server"];
const postgres = compose.services["postgres"];

describe("docker-compose.yml", () => {
  it("has a server and a database, each with a health check and a volume that is declared", () => {
    expect(Object.keys(compose.services).sort()).toEqual(["postgres", "server"]);
    for (const service of Object.values(compose.services)) {
      expect(service.healthcheck.test.length).toBeGreaterThan(1);
      for (const volume of service.volumes) expect(Object.keys(compose.volumes)).toContain(volume.split(":")[0]);
    }
  });

  it("builds the server from a Dockerfile that exists and starts a command that exists", () => {
    expect(existsSync(join(ROOT, server?.build?.dockerfile ?? "missing"))).toBe(true);
    const dockerfile = readFileSync(join(ROOT, server?.build?.dockerfile ?? ""), "utf8");
    const entry = /ENTRYPOINT \["node", "([^"]+)"\]/.exec(dockerfile)?.[1];
    expect(existsSync(join(ROOT, entry ?? "missing"))).toBe(true);
    expect(existsSync(join(ROOT, `apps/cli/src/commands/${server?.command?.[0]}.ts`))).toBe(true);
  });

  it("lets the server wait for a healthy database under the same user and database name", () => {
    expect(server?.depends_on?.["postgres"]?.condition).toBe("service_healthy");
    const url = new URL((server?.environment["DATABASE_URL"] ?? "").replace("${POSTGRES_PASSWORD}", "secret"));
    expect([url.username, url.hostname, url.pathname]).toEqual([
      postgres?.environment["POSTGRES_USER"],
      "postgres",
      `/${postgres?.environment["POSTGRES_DB"]}`,
    ]);
  });

  it("listens beyond loopback only with an admin token, and refuses to start without its secrets", () => {
    expect(server?.command).toContain("0.0.0.0");
    expect(server?.environment["TRAINWATCH_ADMIN_TOKEN"]).toMatch(/^\$\{TRAINWATCH_ADMIN_TOKEN:\?/);
    expect(postgres?.environment["POSTGRES_PASSWORD"]).toMatch(/^\$\{POSTGRES_PASSWORD:\?/);
  });
});

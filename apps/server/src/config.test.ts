import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AppError } from "@trainwatch/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { readConfig } from "./config.ts";

async function fileWith(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "trainwatch-config-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "trainwatch.yaml");
  await writeFile(path, text);
  return path;
}

function faultsOf(act: () => unknown): readonly string[] {
  try {
    act();
  } catch (error) {
    if (error instanceof AppError && error.code === "misconfigured") return error.details.faults as readonly string[];
    throw error;
  }
  return [];
}

describe("readConfig", () => {
  it("stands on this machine's port 4400 with the embedded database where nothing is said", () => {
    expect(readConfig({}, {})).toMatchObject({
      host: "127.0.0.1",
      port: 4400,
      databaseUrl: null,
      url: null,
      roles: ["serve", "detect", "maintain", "deliver"],
      configFile: null,
    });
  });

  it("lets flags win over the environment, and the environment over the file", async () => {
    const config = await fileWith("port: 1\nhost: file.localhost\ndataDir: /file\n");
    const read = readConfig({ config, port: "3" }, { TRAINWATCH_PORT: "2", TRAINWATCH_HOST: "environment.localhost" });
    expect(read).toMatchObject({ port: 3, host: "environment.localhost", dataDir: "/file", configFile: config });
  });

  it("takes every variable of the environment, the path of the file too", async () => {
    const config = await fileWith("logLevel: warn\n");
    const environment = {
      TRAINWATCH_CONFIG: config,
      TRAINWATCH_DATA_DIR: "/data",
      TRAINWATCH_HOST: "::1",
      TRAINWATCH_PORT: "0",
      TRAINWATCH_URL: "https://watch.example.org/",
      TRAINWATCH_TOKEN: "tw_client",
      TRAINWATCH_ADMIN_TOKEN: "tw_0123456789abcdef",
      DATABASE_URL: "postgres://u:p@db/trainwatch",
    };
    expect(readConfig({}, environment)).toMatchObject({
      logLevel: "warn",
      dataDir: "/data",
      host: "::1",
      port: 0,
      url: "https://watch.example.org",
      token: "tw_client",
      adminToken: "tw_0123456789abcdef",
      databaseUrl: "postgres://u:p@db/trainwatch",
    });
  });

  it("counts an empty variable as not set", () => {
    expect(readConfig({}, { TRAINWATCH_PORT: "", DATABASE_URL: "", TRAINWATCH_CONFIG: "" })).toMatchObject({
      port: 4400,
      databaseUrl: null,
    });
  });

  it("names all faults at once, each by the key its giver knows and with the way out", async () => {
    const config = await fileWith("prot: 1\nurl: ftp://x\nroles: [serve, cook]\nlogLevel: loud\n");
    const faults = faultsOf(() => readConfig({ config, port: "70000" }, { TRAINWATCH_ADMIN_TOKEN: "short", DATABASE_URL: "mysql://x" }));
    expect(faults).toEqual([
      expect.stringMatching(/trainwatch\.yaml: `prot` is not a key .* known are .*port/),
      expect.stringMatching(/^--port must be 0 to 65535$/),
      expect.stringMatching(/trainwatch\.yaml: url must be an address that starts with http:\/\/ or https:\/\/$/),
      expect.stringMatching(/^DATABASE_URL must be an address that starts with postgres:\/\//),
      expect.stringMatching(/^TRAINWATCH_ADMIN_TOKEN must have at least 16 characters; `openssl rand -hex 24`/),
      expect.stringMatching(/trainwatch\.yaml: roles must be among serve, detect, maintain, deliver$/),
      expect.stringMatching(/trainwatch\.yaml: logLevel must be debug, info, warn, error or silent$/),
    ]);
  });

  it.each([
    ["a port that is no number", { port: "http" }, /^--port is not a number$/],
    ["a port with a fraction", { port: "80.5" }, /^--port must be a whole number$/],
    ["an admin token with a space", { adminToken: "0123456789 abcdef" }, /^--admin-token must be printable ASCII/],
    ["an empty host", { host: " " }, /^--host must not be empty$/],
    ["a file that is not there", { config: "/nowhere/trainwatch.yaml" }, /^\/nowhere\/trainwatch\.yaml cannot be read .*correct --config/],
  ])("refuses %s", (_what, flags, fault) => {
    expect(faultsOf(() => readConfig(flags, {}))).toEqual([expect.stringMatching(fault)]);
  });

  it.each([
    ["port: [1", /trainwatch\.yaml: /],
    ["just text", /must hold keys with values/],
    ["- port", /must hold keys with values/],
  ])("refuses the file %j", async (text, fault) => {
    const config = await fileWith(text);
    expect(faultsOf(() => readConfig({ config }, {}))).toEqual([expect.stringMatching(fault)]);
  });

  it("takes an empty file", async () => {
    expect(readConfig({ config: await fileWith("") }, {})).toMatchObject({ port: 4400 });
  });
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAppError } from "@trainwatch/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { readAgentConfig } from "./read-config.ts";
import type { AgentConfig, AgentEnvironment } from "./read-config.ts";

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), "trainwatch-agent-config-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

function read(text: string, environment: AgentEnvironment = {}): AgentConfig {
  const path = join(folder(), "agent.yaml");
  writeFileSync(path, text);
  return readAgentConfig(path, environment);
}

/** Every fault, without the name of the file before it. */
function faultsOf(text: string, environment: AgentEnvironment = {}): readonly string[] {
  try {
    read(text, environment);
  } catch (error) {
    if (!isAppError(error) || error.code !== "misconfigured") throw error;
    const faults: unknown = error.details["faults"];
    return Array.isArray(faults) ? faults.map((fault) => String(fault).replace(/^.*agent\.yaml: /, "")) : [];
  }
  return [];
}

const SOURCE = 'sources: [{ kind: scrape, url: "http://localhost:9400/metrics" }]';

describe("readAgentConfig", () => {
  it("fills in what is not said", () => {
    const config = read(`server: { url: "http://h:4400" }\n${SOURCE}`);
    expect(config).toMatchObject({
      server: { url: "http://h:4400", token: null },
      dataDir: "/var/lib/trainwatch-agent",
      node: { host: null, machineIdFile: "/etc/machine-id" },
      spool: { maxSize: 512 * 1024 ** 2, maxEventSize: 64 * 1024 ** 2, whenFull: "drop-oldest" },
      sources: [{ kind: "scrape", name: "scrape", everyMs: 10_000 }],
    });
  });

  it("takes token, address and node name from the environment before the file, and a token from a file of its own", () => {
    const tokenFile = join(folder(), "token");
    writeFileSync(tokenFile, " tw_file \n");
    const text = `server: { url: "http://h:4400", tokenFile: ${tokenFile} }\nnode: { host: own }\n${SOURCE}`;
    expect(read(text, { TRAINWATCH_TOKEN: "" })).toMatchObject({ server: { token: "tw_file" }, node: { host: "own" } });
    const environment = { TRAINWATCH_TOKEN: "tw_env", TRAINWATCH_URL: "https://other", TRAINWATCH_NODE_NAME: "n7" };
    expect(read(text, environment)).toMatchObject({ server: { url: "https://other", token: "tw_env" }, node: { host: "n7" } });
    expect(read(SOURCE, environment)).toMatchObject({ server: { url: "https://other" } });
  });

  it("tells every fault at once, each with its key", () => {
    const faults = faultsOf(`server: { url: "ftp://h", token: tw_secret }
spool: { maxSize: 10, whenFull: never }
speed: 3
sources:
  - { kind: scrape, every: 10, url: nowhere }
  - { kind: scape }
  - { kind: exec, command: [], reads: nvidia-smi }
  - { kind: kmsg, name: "a b" }
  - { kind: kmsg }
  - { kind: kmsg }
  - { kind: assignments, run: lab/x }
  - { kind: checkpoints, dir: /c, run: "/" }
  - { kind: file, path: /l, log: kernel, timeZone: Mars/Base }
`);
    const expected = [
      /^server\.url: must be an http or https address/,
      /^server: .*token/,
      /^spool\.maxSize: must be a size with its unit/,
      /^spool\.whenFull: /,
      /speed/,
      /^sources\.0\.every: must be a time with its unit/,
      /^sources\.0\.url: must be an http or https address/,
      /^sources\.1\.kind: must be one of scrape, kmsg, file/,
      /^sources\.2\.command: must name a program/,
      /^sources\.3\.name: must be 1 to 64 letters/,
      /^sources\.5\.name: "kmsg" is taken by another source/,
      /^sources\.6: needs either `file` or `proc`/,
      /^sources\.7\.run: must be PROJECT\/NAME/,
      /^sources\.8\.timeZone: must be an IANA zone/,
    ];
    for (const pattern of expected) expect(faults.filter((fault) => pattern.test(fault))).toHaveLength(1);
    expect(faults).toHaveLength(expected.length);
  });

  it.each<[string, string, RegExp]>([
    ["that is no YAML", "a: [", /Flow sequence/],
    ["that holds no keys", "- 1", /must hold keys with values/],
    ["without sources", 'server: { url: "http://h" }\nsources: []', /sources: must list at least one source/],
    [
      "whose token file is not there",
      `server: { url: "http://h", tokenFile: /nowhere/token }\n${SOURCE}`,
      /tokenFile: \/nowhere\/token cannot be read/,
    ],
    [
      "with a spool that holds nothing",
      `server: { url: "http://h" }\nspool: { maxSize: 10kB }\n${SOURCE}`,
      /spool\.maxSize: must be at least 1MiB/,
    ],
  ])("refuses a file %s", (_what, text, fault) => {
    expect(faultsOf(text).join("\n")).toMatch(fault);
  });

  it("names a file that cannot be read", () => {
    expect(() => readAgentConfig("/nowhere/agent.yaml", {})).toThrow("/nowhere/agent.yaml cannot be read");
  });
});

import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { readAgentConfig } from "./config/read-config.ts";

const DEPLOY = join(import.meta.dirname, "../../deploy");

/** A unit file by section and key; a key may stand several times. */
function readUnit(text: string): ReadonlyMap<string, readonly string[]> {
  const entries = new Map<string, string[]>();
  let section = "";
  for (const [index, line] of text.split("\n").entries()) {
    if (line === "" || line.startsWith("#")) continue;
    const header = /^\[(\w+)\]$/.exec(line)?.[1];
    if (header !== undefined) {
      section = header;
      continue;
    }
    const [, key, value] = /^([A-Za-z]+)=(.*)$/.exec(line) ?? [];
    if (key === undefined || value === undefined || section === "") throw new Error(`line ${index + 1} is no entry of a unit: ${line}`);
    entries.set(`${section}.${key}`, [...(entries.get(`${section}.${key}`) ?? []), value]);
  }
  return entries;
}

interface Manifest {
  readonly kind: string;
  readonly data: Readonly<Record<string, string>>;
  readonly spec: {
    readonly selector: { readonly matchLabels: object };
    readonly template: {
      readonly metadata: { readonly labels: object };
      readonly spec: {
        readonly volumes: readonly { readonly name: string }[];
        readonly containers: readonly {
          readonly command: readonly string[];
          readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
        }[];
      };
    };
  };
}

function manifests(): readonly Manifest[] {
  const documents = parseAllDocuments(readFileSync(join(DEPLOY, "kubernetes.yaml"), "utf8"));
  return documents.map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS();
  });
}

const unit = readUnit(readFileSync(join(DEPLOY, "trainwatch-agent.service"), "utf8"));

describe("the systemd unit", () => {
  it("starts the built file, keeps it up, and keeps its data where the agent does by default", () => {
    const [start = ""] = unit.get("Service.ExecStart") ?? [];
    expect(start).toMatch(
      /^\/usr\/bin\/node (--[\w=-]+ )+\/usr\/lib\/trainwatch\/trainwatch-agent\.mjs --config \/etc\/trainwatch\/agent\.yaml$/,
    );
    expect(unit.get("Service.Restart")).toEqual(["always"]);
    expect(unit.get("Service.StateDirectory")).toEqual(["trainwatch-agent"]);
    expect(unit.get("Install.WantedBy")).toEqual(["multi-user.target"]);
  });
});

describe("the Kubernetes manifest", () => {
  const [config, daemonSet] = manifests();

  it("holds a configuration that the agent takes", () => {
    const path = join(mkdtempSync(join(tmpdir(), "trainwatch-manifest-")), "agent.yaml");
    writeFileSync(path, config?.data["agent.yaml"] ?? "");
    const { sources, dataDir } = readAgentConfig(path, { TRAINWATCH_NODE_NAME: "n1", TRAINWATCH_TOKEN: "t" });
    expect(sources.map(({ name }) => name)).toEqual(["dcgm", "node", "kmsg", "infiniband"]);
    expect(daemonSet?.spec.template.spec.containers[0]?.volumeMounts.map(({ mountPath }) => mountPath)).toContain(dataDir);
  });

  it("selects its own pods, mounts only volumes that are there, and runs Node as the unit does", () => {
    expect(daemonSet?.kind).toBe("DaemonSet");
    const { selector, template } = daemonSet?.spec ?? {};
    expect(template?.metadata.labels).toEqual(selector?.matchLabels);
    const [container] = template?.spec.containers ?? [];
    const volumes = template?.spec.volumes.map(({ name }) => name) ?? [];
    expect(container?.volumeMounts.map(({ name }) => name).toSorted()).toEqual(volumes.toSorted());
    const flags = (words: readonly string[]): readonly string[] => words.filter((word) => /^--(?!config)/.test(word));
    expect(flags(container?.command ?? [])).toEqual(flags((unit.get("Service.ExecStart")?.[0] ?? "").split(" ")));
  });
});

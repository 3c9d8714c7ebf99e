import { z } from "zod";
import { sizeSchema } from "./units.ts";

const LEAST_SPOOL_BYTES = 1024 * 1024;
const spoolSize = sizeSchema.refine((bytes) => bytes >= LEAST_SPOOL_BYTES, "must be at least 1MiB");

/** The file of `trainwatch agent`, but for its sources, which check themselves. */
export const agentConfigSchema = z.strictObject({
  server: z
    .strictObject({
      url: z
        .url({ protocol: /^https?$/, message: "must be an http or https address" })
        .describe("where the server is; `TRAINWATCH_URL` wins"),
      tokenFile: z.string().min(1).optional().describe("holds the token, with the scope ingest; or give it as `TRAINWATCH_TOKEN`"),
    })
    .describe("where readings go"),
  dataDir: z
    .string()
    .min(1)
    .default("/var/lib/trainwatch-agent")
    .describe("spool, places in logs, refused requests; must outlive restarts"),
  node: z
    .strictObject({
      host: z.string().min(1).max(253).optional().describe("name of the node (default: the system's; `TRAINWATCH_NODE_NAME` wins)"),
      rack: z.string().min(1).max(64).optional().describe("where the node stands: the fleet page can group by it"),
      machineIdFile: z.string().min(1).default("/etc/machine-id").describe("holds the machine id"),
    })
    .prefault({})
    .describe("who this node is"),
  spool: z
    .strictObject({
      maxSize: spoolSize.prefault("512MiB").describe("of readings that wait for the server"),
      maxEventSize: spoolSize.prefault("64MiB").describe("of events and pushes that wait"),
      whenFull: z.enum(["drop-oldest", "stop"]).default("drop-oldest").describe("of readings: the oldest go, or new ones are not taken"),
    })
    .prefault({})
    .describe("what waits on disk while the server is away"),
  sources: z.array(z.unknown()).min(1, "must list at least one source").describe("what is read"),
});
export type AgentConfigFile = z.output<typeof agentConfigSchema>;

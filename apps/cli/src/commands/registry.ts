import type { CommandListing } from "../frame/command.ts";

/** Every command, in the order in which `trainwatch --help` lists them. */
export const COMMANDS = [
  {
    name: "serve",
    summary: "Runs server, detectors and dashboard in one process; embedded PostgreSQL unless DATABASE_URL is set.",
    load: async () => (await import("./serve.ts")).serve,
  },
  {
    name: "demo",
    summary: "Serves a throw-away database with finished simulated runs, one that runs live on 16 nodes, and a spike within seconds.",
    load: async () => (await import("./demo.ts")).demo,
  },
  {
    name: "import",
    summary: "Sends logs and evaluation results of any known format to a server; a repeated import stores nothing new.",
    load: async () => (await import("./import.ts")).importLogs,
  },
  {
    name: "agent",
    summary: "Runs on each node: reads exporters, kernel log, training log and checkpoints, and brings them to a server.",
    load: async () => (await import("./agent.ts")).agent,
  },
  {
    name: "inspect",
    summary: "Reads logs offline: what broke, since which step, and what to do. No server, no database.",
    load: async () => (await import("./inspect.ts")).inspect,
  },
  {
    name: "compare",
    summary: "Compares evaluation results offline: what is better, worse, tied or not comparable. No server, no database.",
    load: async () => (await import("./compare.ts")).compare,
  },
  {
    name: "simulate",
    summary: "Prints the log of a seeded run with injected faults, or serves the exporters of its fleet; ground truth as JSON lines.",
    load: async () => (await import("./simulate.ts")).simulate,
  },
  {
    name: "doctor",
    summary: "Checks configuration, database, clock, disk and coverage, and says what to do about each fault.",
    load: async () => (await import("./doctor.ts")).doctor,
  },
  {
    name: "token",
    summary: "Creates, lists and revokes access tokens.",
    load: async () => (await import("./token.ts")).token,
  },
] as const satisfies readonly CommandListing[];

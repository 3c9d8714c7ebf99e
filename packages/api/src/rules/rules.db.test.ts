import { describe, expect, it } from "vitest";
import { createVerbBench, seedRun } from "../fixtures/verb-bench.ts";

const DETECTOR = { kind: "detector" as const, detector: "loss-shift", scope: {} };

describe("rules", () => {
  it("are made, changed whole and deleted, and the catalogue shows what is in force where", async () => {
    await using bench = await createVerbBench();
    const runId = await seedRun(bench.store);
    const { rules, detectors } = bench.as("operate");
    const entry = async (asked: object = {}) => (await detectors.catalogue(asked)).find(({ id }) => id === "loss-shift");
    const [parameter] = (await entry())?.parameters ?? [];
    const name = parameter?.name ?? "";
    const value = (parameter?.value ?? 0) * 1.5;
    const made = await rules.create({ ...DETECTOR, severity: "warning", scope: { runId }, parameters: { [name]: value } });
    expect(await rules.list()).toEqual([made]);
    expect(await entry({ runId })).toMatchObject({ ruleId: made.id, severity: "warning", enabled: true });
    expect((await entry({ runId }))?.parameters[0]).toMatchObject({ value: parameter?.value, inForce: value });
    expect(await entry()).toMatchObject({ ruleId: null, severity: null });
    await rules.update({ ruleId: made.id, rule: { ...DETECTOR, enabled: false } });
    expect([(await entry({ runId }))?.enabled, (await entry({ runId }))?.parameters[0]?.inForce]).toEqual([false, parameter?.value]);
    await rules.delete({ ruleId: made.id });
    expect(await rules.list()).toEqual([]);
  });

  it.each([
    ["a detector that there is not", { detector: "crystal-ball" }, /^There is no detector "crystal-ball"\. There are .*loss-shift/],
    ["a parameter that the detector lacks", { parameters: { mood: 1 } }, /^Detector loss-shift has no parameter "mood"; it has /],
    ["a scope of a run and a cluster", { scope: { runId: 1, cluster: "east" } }, /^A scope is a run or a cluster/],
    ["an end that has passed", { untilMs: 1 }, /^The rule would have run out already/],
    ["a run that there is not", { scope: { runId: 999 } }, /^There is no run 999/],
  ])("are refused for %s, in words that say what there is", async (_what, given, message) => {
    await using bench = await createVerbBench();
    await expect(bench.as("operate").rules.create({ ...DETECTOR, ...given })).rejects.toThrow(message);
    expect(await bench.as("read").rules.list()).toEqual([]);
  });

  it.each([
    ["above", 5, 6],
    ["below", 5, 4],
  ] as const)(
    "are refused where a metric %s %d would be over at %d, still beyond the threshold",
    async (condition, value, recoverValue) => {
      await using bench = await createVerbBench();
      const rule = { kind: "metric" as const, title: "loss", metric: "loss", condition, value, severity: "warning" as const, scope: {} };
      const { rules } = bench.as("operate");
      await expect(rules.create({ ...rule, recoverValue })).rejects.toThrow(/^The value at which it is over/);
      expect((await rules.create({ ...rule, recoverValue: value })).rule).toMatchObject({ recoverValue: value });
    },
  );

  it("are one a detector and scope: a second is told which to change", async () => {
    await using bench = await createVerbBench();
    const { rules } = bench.as("operate");
    const first = await rules.create(DETECTOR);
    await expect(rules.create({ ...DETECTOR, enabled: false })).rejects.toThrow(
      `Rule ${first.id} says it for detector loss-shift in this scope already`,
    );
    await rules.create({ ...DETECTOR, scope: { cluster: "east" } });
    expect(await rules.list()).toHaveLength(2);
  });

  it("go with the run that they are for", async () => {
    await using bench = await createVerbBench();
    const runId = await seedRun(bench.store);
    await bench.as("operate").rules.create({ ...DETECTOR, scope: { runId } });
    await bench.as("admin").runs.delete({ runId, confirmName: "run" });
    expect(await bench.as("read").rules.list()).toEqual([]);
  });
});

describe("mutes", () => {
  const MUTE = { name: "nights", zone: "Europe/Berlin", weekdays: [1, 2], from: "22:00", to: "06:00", scope: {} };

  it("are made, changed whole and deleted", async () => {
    await using bench = await createVerbBench();
    const { mutes } = bench.as("operate");
    const made = await mutes.create(MUTE);
    expect(made.mute).toMatchObject({ zone: "Europe/Berlin", upTo: "warning" });
    await mutes.update({ muteId: made.id, mute: { ...MUTE, upTo: "critical" } });
    expect((await mutes.list()).map(({ mute }) => mute.upTo)).toEqual(["critical"]);
    await mutes.delete({ muteId: made.id });
    expect(await mutes.list()).toEqual([]);
  });

  it.each([
    ["a zone that is none", { zone: "CET+2" }, /zone: must be an IANA time zone such as Europe\/Berlin/],
    ["an end before its beginning", { startsAtMs: 2, endsAtMs: 1 }, /would end before it begins/],
    ["a time that no clock shows", { from: "24:00" }, /from: must be HH:MM/],
    ["a day that no calendar has", { startsAtMs: 1e300 }, /startsAtMs/],
  ])("are refused for %s", async (_what, given, message) => {
    await using bench = await createVerbBench();
    await expect(bench.as("operate").mutes.create({ ...MUTE, ...given })).rejects.toThrow(message);
  });
});

describe("channels", () => {
  const CHANNEL = { name: "on call", kind: "slack" as const, url: "https://hooks.slack.test/services/T0/B0/secretsecret9f3a", scope: {} };

  it("never answer a secret or a whole address, not even to an admin, and keep both through a form that sends back what it was shown", async () => {
    await using bench = await createVerbBench();
    const { channels, audit } = bench.as("admin");
    const made = await channels.create({ ...CHANNEL, secret: "0123456789abcdef" });
    expect(made).toMatchObject({ hasSecret: true, channel: { url: "https://hooks.slack.test/…9f3a" } });
    const [listed] = await channels.list();
    await channels.update({ channelId: made.id, ...listed?.channel, minSeverity: "warning" });
    const stored = await bench.store.records.channels.get(made.id);
    expect(stored).toMatchObject({ secret: "0123456789abcdef", channel: { url: CHANNEL.url, minSeverity: "warning" } });
    const seen = JSON.stringify([made, await channels.list(), await audit.list()]);
    expect(seen).not.toMatch(/secretsecret|0123456789abcdef/);
    // An address that is no valid escape is an address like any other, and so is the shown one as a URL is written.
    await channels.update({ channelId: made.id, url: "https://hooks.slack.test/%E2%80%A69f3a" });
    expect((await bench.store.records.channels.get(made.id))?.channel.url).toBe(CHANNEL.url);
    await channels.update({ channelId: made.id, url: "https://other.test/%zz" });
    await channels.update({ channelId: made.id, secret: null, url: "https://other.test/new-address" });
    expect(await bench.store.records.channels.get(made.id)).toMatchObject({
      secret: null,
      channel: { url: "https://other.test/new-address" },
    });
  });

  it.each([
    ["an address that is not HTTP", { url: "ftp://example.test/x" }, /url/],
    ["a cloud's metadata service", { url: "http://169.254.169.254/latest" }, /metadata service/],
    ["its name", { url: "http://metadata.google.internal/x" }, /metadata service/],
    ["a link-local address of IPv6", { url: "http://[fe80::1]/x" }, /metadata service/],
    ["a password in the address", { url: "https://me:secret@example.test/x" }, /must not hold a user or a password/],
    ["a secret that can be guessed", { secret: "short" }, /at least 16 characters/],
  ])("are refused for %s", async (_what, given, message) => {
    await using bench = await createVerbBench();
    await expect(bench.as("admin").channels.create({ ...CHANNEL, ...given })).rejects.toThrow(message);
  });

  it("cannot take each other's names", async () => {
    await using bench = await createVerbBench();
    const { channels } = bench.as("admin");
    await channels.create(CHANNEL);
    const { id: channelId } = await channels.create({ ...CHANNEL, name: "tickets" });
    await expect(channels.update({ channelId, name: "on call" })).rejects.toMatchObject({ code: "CONFLICT" });
    await channels.update({ channelId, name: "tickets", enabled: false });
  });

  it("say what a test message met", async () => {
    await using bench = await createVerbBench();
    const { channels } = bench.as("admin");
    const { id: channelId } = await channels.create({ ...CHANNEL, url: "http://127.0.0.1:1/hook" });
    expect(await channels.test({ channelId })).toEqual({
      ok: false,
      status: null,
      message: "Nobody listens at this address (connection refused)",
      tookMs: 0,
    });
  });
});

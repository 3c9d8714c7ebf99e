import { noticeSchema, type NoticeBody } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { slackMessage } from "./slack-message.ts";

function notice(given: Partial<NoticeBody> = {}): NoticeBody {
  return noticeSchema.parse({
    version: 1,
    id: "n1",
    reason: "opened",
    incidentId: 12,
    merged: [],
    severity: "critical",
    title: "Loss spike ×2.5 at step 48,210, not recovered",
    run: "llm/7b",
    attempt: "a2",
    since: "2026-01-01T03:00:00.000Z",
    sinceStep: 48_210,
    ongoing: true,
    flaps: 0,
    action: "Roll back to 48,000",
    cause: "hardware GPU-1 (likely, 81 %)",
    ended: null,
    url: "https://watch.example/incidents/12",
    ...given,
  } satisfies NoticeBody);
}

function linesOf(given: Partial<NoticeBody> = {}): string {
  const message = slackMessage(notice(given)) as { readonly blocks: readonly { readonly text: { readonly text: string } }[] };
  return message.blocks.map(({ text }) => text.text).join("\n");
}

describe("a notice on Slack", () => {
  it("says severity, run, what, since when, whether it goes on, cause, action and where to look", () => {
    expect(linesOf()).toBe(
      [
        "*◆ CRITICAL · new · llm/7b*",
        "Loss spike ×2.5 at step 48,210, not recovered",
        "Since step 48,210 of a2, 2026-01-01 03:00:00 UTC, still going on",
        "Likeliest cause: hardware GPU-1 (likely, 81 %)",
        "Proposed: *Roll back to 48,000*",
        "<https://watch.example/incidents/12|Open incident 12>",
      ].join("\n"),
    );
  });

  it("says how it ended, and proposes nothing any more", () => {
    const said = linesOf({ reason: "over", ongoing: false, flaps: 3, ended: "Recovered at step 48,300" });
    expect(said).toContain("*◆ CRITICAL · is over · llm/7b*");
    expect(said).toContain("It was over and came back 3 times\n");
    expect(said).toContain("How it ended: Recovered at step 48,300");
    expect(said).not.toContain("Proposed");
  });

  it("says which incidents turned out to be this one", () => {
    expect(linesOf({ reason: "merged", merged: [14] })).toMatch(
      /several incidents are one.*\n.*\n.*\nThe same as incident 14, which it has taken in\n/,
    );
    expect(linesOf({ merged: [14, 15, 17] })).toContain("The same as incidents 14, 15 and 17, which it has taken in");
  });

  it("names no run and no link where there is none", () => {
    expect(linesOf({ run: null, attempt: null, sinceStep: null, url: null, cause: null, action: null })).toBe(
      "*◆ CRITICAL · new*\nLoss spike ×2.5 at step 48,210, not recovered\nSince 2026-01-01 03:00:00 UTC, still going on",
    );
  });

  it("gives Slack no marks of its own: nobody is called by a run's name", () => {
    expect(linesOf({ run: "<!channel>", title: "<@U1> & <https://evil.example|click>" })).toContain(
      "&lt;@U1&gt; &amp; &lt;https://evil.example|click&gt;",
    );
    expect(linesOf({ run: "<!channel>" })).toContain("&lt;!channel&gt;");
  });

  it("stays below what Slack takes", () => {
    const long = "&<x".repeat(10_000);
    const said = linesOf({
      title: long,
      run: long,
      attempt: long,
      cause: long,
      action: long,
      flaps: 1_000,
      merged: Array.from({ length: 1_000 }, (_, id) => id),
    });
    expect(said.length).toBeLessThanOrEqual(3_000);
    expect(said.endsWith("<https://watch.example/incidents/12|Open incident 12>")).toBe(true);
    expect(said.replaceAll(/&(?:amp|lt|gt);/g, "")).not.toContain("&");
  });
});

import { describe, expect, it, vi } from "vitest";
import { contactFetch } from "./contact-fetch.ts";
import { createContact } from "./contact.ts";

const json = { headers: { "content-type": "application/json" } };

/** The link of a page that had answers before, after one request more. */
function linkAfter(fetcher: typeof fetch, { signal, isFirst = false }: { signal?: AbortSignal; isFirst?: boolean } = {}): Promise<string> {
  const contact = createContact(() => 1_000);
  if (!isFirst) contact.answered();
  return contactFetch(
    contact,
    50,
    fetcher,
  )("/trpc/status.get", { signal }).then(
    () => contact.state().link,
    () => contact.state().link,
  );
}

/** A server that never answers, as `fetch` sees it. */
const silent: typeof fetch = (_input, init) =>
  new Promise((_resolve, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)));

describe("what a request says about the link", () => {
  it.each([
    ["an answer", "up", () => Promise.resolve(new Response("{}", json))],
    ["a refusal", "up", () => Promise.resolve(new Response("{}", { ...json, status: 401 }))],
    ["the server's own word that its database is away", "up", () => Promise.resolve(new Response("{}", { ...json, status: 503 }))],
    ["a proxy's word that the server is away", "lost", () => Promise.resolve(new Response("<html>", { status: 502 }))],
    ["a refused connection", "lost", () => Promise.reject(new TypeError("fetch failed"))],
  ] as const)("after %s the link is %s", async (_what, expected, fetcher) => {
    expect(await linkAfter(fetcher)).toBe(expected);
  });

  it("counts silence as a loss when the time is up", async () => {
    expect(await linkAfter(silent)).toBe("lost");
  });

  it("is connecting still when the very first one finds nobody: what was never had is not lost", async () => {
    expect(await linkAfter(silent, { isFirst: true })).toBe("connecting");
    expect(await linkAfter(() => Promise.reject(new TypeError("fetch failed")), { isFirst: true })).toBe("connecting");
  });

  it("learns nothing from a request that the page gave up", async () => {
    const page = new AbortController();
    const pending = linkAfter(silent, { signal: page.signal });
    page.abort();
    expect(await pending).toBe("up");
  });
});

describe("contact", () => {
  it("tells its readers of a change of link and not of each answer", () => {
    let nowMs = 0;
    const contact = createContact(() => nowMs);
    const reader = vi.fn();
    contact.subscribe(reader);
    contact.answered();
    nowMs = 500;
    contact.answered();
    expect(reader).toHaveBeenCalledTimes(1);
    expect(contact.state()).toMatchObject({ link: "up", lastAnswerAtMs: 500 });
  });

  it("keeps the moment of the first miss while it stays lost, and forgets it when an answer comes", () => {
    let nowMs = 1_000;
    const contact = createContact(() => nowMs);
    contact.answered();
    contact.missed();
    nowMs = 9_000;
    contact.missed();
    expect(contact.state()).toMatchObject({ link: "lost", missedAtMs: 1_000 });
    contact.answered();
    expect(contact.state()).toMatchObject({ link: "up", missedAtMs: null });
  });

  it("wakes its readers when the first request of all finds nobody, so that the page says that it waits", () => {
    const contact = createContact(() => 1_000);
    const reader = vi.fn();
    contact.subscribe(reader);
    contact.missed();
    contact.missed();
    expect(reader).toHaveBeenCalledTimes(1);
    expect(contact.state()).toMatchObject({ link: "connecting", missedAtMs: 1_000 });
  });
});

import { describe, expect, it, vi } from "vitest";
import { createSession } from "./session.ts";

describe("the session as the page knows it", () => {
  it("is learnt from answers and refusals", () => {
    const session = createSession();
    const reader = vi.fn<() => void>();
    session.subscribe(reader);
    session.accepted();
    expect(session.state()).toBe("signed-in");
    session.refused();
    session.refused();
    expect(session.state()).toBe("signed-out");
    expect(reader).toHaveBeenCalledTimes(2);
  });

  it("stays left although an answer or refusal was still on its way", () => {
    const session = createSession();
    session.accepted();
    session.left();
    session.accepted();
    session.refused();
    expect(session.state()).toBe("left");
    expect(session.mayEnterLocally()).toBe(false);
  });

  it("tries to enter without a token once, and again only after it has worked", () => {
    const session = createSession();
    session.refused();
    expect([session.mayEnterLocally(), session.mayEnterLocally()]).toEqual([true, false]);
    session.entered();
    session.refused();
    expect(session.mayEnterLocally()).toBe(false);
    session.entered();
    session.accepted();
    session.refused();
    expect(session.mayEnterLocally()).toBe(true);
  });
});

import { TRPCClientError } from "@trpc/client";
import { describe, expect, it } from "vitest";
import { failureOf, isTransient } from "./failure.ts";
import { loadedOf } from "./loaded.ts";

const answered = (code: string, message = "No such incident") =>
  TRPCClientError.from({ error: { code: -32_000, message, data: { code, httpStatus: 400, id: "e-7f31c2" } } });

describe("what a page is told of a failure", () => {
  it.each([
    ["UNAUTHORIZED", "signed-out"],
    ["FORBIDDEN", "forbidden"],
    ["NOT_FOUND", "not-found"],
    ["CONFLICT", "conflict"],
    ["BAD_REQUEST", "refused"],
    ["SERVICE_UNAVAILABLE", "unavailable"],
    ["INTERNAL_SERVER_ERROR", "server"],
    ["SOMETHING_NEW", "server"],
  ])("reads %s as %s", (code, kind) => {
    expect(failureOf(answered(code)).kind).toBe(kind);
  });

  it("keeps the server's sentence and the id to quote", () => {
    expect(failureOf(answered("NOT_FOUND"))).toMatchObject({ message: "No such incident", id: "e-7f31c2" });
  });

  it("knows a network failure by the absence of an answer, not by its text", () => {
    const failure = failureOf(TRPCClientError.from(new TypeError("Failed to fetch")));
    expect(failure).toMatchObject({ kind: "unreachable", id: null });
    expect(isTransient(failure)).toBe(true);
    expect(isTransient(failureOf(answered("NOT_FOUND")))).toBe(false);
  });
});

describe("a value on its way", () => {
  const query = { data: undefined, error: null, dataUpdatedAt: 0, isPlaceholderData: false, refetch: () => undefined };

  it("is loading, failed or ready and never two of them", () => {
    expect(loadedOf(query).status).toBe("loading");
    expect(loadedOf({ ...query, error: answered("NOT_FOUND") }).status).toBe("failed");
    expect(loadedOf({ ...query, data: 5 }).status).toBe("ready");
  });

  it("stays ready with the old answer when a refresh fails, and says so", () => {
    expect(loadedOf({ ...query, data: 5, dataUpdatedAt: 70, error: answered("SERVICE_UNAVAILABLE") })).toMatchObject({
      status: "ready",
      data: 5,
      asOfMs: 70,
      refreshFailure: { kind: "unavailable" },
    });
  });

  it("does not pass off the previous question's answer as that of one that failed", () => {
    expect(loadedOf({ ...query, data: 5, isPlaceholderData: true, error: answered("NOT_FOUND") }).status).toBe("failed");
  });
});

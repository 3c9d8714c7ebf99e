import { describe, expect, it } from "vitest";
import { aliased, EMPTY_BOOK, noteArrival, overtakenIn, receive, type SourceBook } from "./source-book.ts";

const reach = (first: number, last: number) => ({ "1": { first, last } });
const notes = (...pushes: readonly (readonly [source: string, first: number, last: number, attempt: string])[]): SourceBook =>
  pushes.reduce(
    (book, [source, first, last, attempt], seq) => noteArrival(book, { source, seq, reach: reach(first, last) }, attempt),
    EMPTY_BOOK,
  );

describe("the book of sources", () => {
  it("leaves a new source and one that goes on alone to the lineage", () => {
    const book = notes(["a", 1, 10, "a1"]);
    expect(receive(book, { source: "b", seq: 1000, reach: reach(5, 9) }, "a1", ["a1"]).attempt).toBeNull();
    expect(receive(book, { source: "a", seq: 1000, reach: reach(11, 20) }, "a1", ["a1"]).attempt).toBeNull();
  });

  it("takes an attempt back that another source seemed to have ended, and makes that one a writer", () => {
    const book = notes(["a", 1, 10, "a1"], ["b", 1, 10, "a2"]);
    const received = receive(book, { source: "a", seq: 1000, reach: reach(11, 20) }, "a2", ["a1", "a2"]);
    expect(received.attempt).toBe("a1");
    expect(received.newAliases).toEqual([{ attempt: "a2", becomes: { attempt: "a1", writer: "2" } }]);
    expect(aliased(received.book, { attempt: "a2", writer: null })).toEqual({ attempt: "a1", writer: "2" });
    expect(aliased(received.book, { attempt: "a2", writer: "2" })).toEqual({ attempt: "a1", writer: "2/2" });
    // From now on each is placed where it belongs.
    expect(receive(received.book, { source: "b", seq: 1000, reach: reach(11, 20) }, "a1", ["a1", "a2"]).attempt).toBe("a2");
  });

  it("numbers the writers of a third and fourth source on", () => {
    const book = notes(["a", 1, 10, "a1"], ["b", 1, 10, "a2"], ["c", 1, 10, "a3"]);
    const { newAliases } = receive(book, { source: "a", seq: 1000, reach: reach(11, 20) }, "a3", ["a1", "a2", "a3"]);
    expect(newAliases.map(({ becomes }) => becomes.writer)).toEqual(["2", "3"]);
  });

  it("lets a source that was long passed only be late", () => {
    const book = notes(
      ["a", 1, 100, "a1"],
      ...Array.from({ length: 12 }, (_, push) => ["b", 51 + push * 50, 100 + push * 50, "a2"] as const),
    );
    const received = receive(book, { source: "a", seq: 1000, reach: reach(101, 110) }, "a2", ["a1", "a2"]);
    expect([received.attempt, received.newAliases]).toEqual(["a1", []]);
  });

  it("does not take a source that starts again for one that goes on", () => {
    const book = notes(["a", 1, 10, "a1"], ["b", 1, 10, "a2"]);
    expect(receive(book, { source: "a", seq: 1000, reach: reach(5, 20) }, "a2", ["a1", "a2"]).attempt).toBeNull();
  });

  it("does not mind sources that write other series", () => {
    const book = noteArrival(notes(["a", 1, 10, "a1"]), { source: "b", seq: 1000, reach: { "2": { first: 1, last: 5 } } }, "a2");
    expect(receive(book, { source: "a", seq: 1000, reach: reach(11, 20) }, "a2", ["a1", "a2"]).attempt).toBeNull();
  });

  it("remembers a bounded number of sources", () => {
    const book = notes(...Array.from({ length: 100 }, (_, index) => [`s${index}`, 1, 2, "a1"] as const));
    expect(book.holders.map(({ source }) => source)).toEqual(Array.from({ length: 32 }, (_, index) => `s${68 + index}`));
  });

  it("follows a writer of what has itself become a writer, to the attempt that is left", () => {
    const book = notes(["a", 1, 10, "a1"], ["b", 1, 10, "a2"], ["c", 1, 10, "a3"]);
    const later = receive(book, { source: "b", seq: 1000, reach: reach(11, 20) }, "a3", ["a1", "a2", "a3"]).book;
    const { book: last } = receive(later, { source: "a", seq: 1000, reach: reach(11, 20) }, "a2", ["a1", "a2", "a3"]);
    expect(aliased(last, { attempt: "a2", writer: null })).toEqual({ attempt: "a1", writer: "2" });
    expect(aliased(last, { attempt: "a3", writer: null })).toEqual({ attempt: "a1", writer: "2/2" });
  });

  it("knows a push that was overtaken by a later one of its source, unless an attempt began between", () => {
    const book = [0, 2, 4].reduce(
      (sofar, seq) => noteArrival(sofar, { source: "a", seq, reach: reach(seq * 10, seq * 10 + 9) }, seq < 4 ? "a1" : "a2"),
      EMPTY_BOOK,
    );
    const overtaken = [0, 1, 3, 5].map((seq) => overtakenIn(book, { source: "a", seq }));
    expect(overtaken).toEqual(["a1", "a1", null, null]);
    expect(overtakenIn(book, { source: "b", seq: 1 })).toBeNull();
    // It says nothing of where the source is.
    const late = noteArrival(book, { source: "a", seq: 1, reach: reach(10, 19) }, "a1");
    expect(late.holders[0]).toMatchObject({ attempt: "a2", lasts: { "1": 49 } });
  });
});

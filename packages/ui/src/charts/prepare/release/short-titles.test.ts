import { describe, expect, it } from "vitest";
import { aRow } from "./release.fixture.ts";
import { shortTitles } from "./short-titles.ts";

const titlesOf = (...titles: string[]) => [...shortTitles(titles.map((title, index) => aRow({ key: `k${index}`, title }))).values()];

describe("titles where room is scarce", () => {
  it("go without their source", () => {
    expect(titlesOf("Unsafe but answered (XSTest, unsafe)", "GSM8K")).toEqual(["Unsafe but answered", "GSM8K"]);
  });

  it("keep it where two rows would be called the same", () => {
    expect(titlesOf("Refused (XSTest)", "Refused (OR-Bench)")).toEqual(["Refused (XSTest)", "Refused (OR-Bench)"]);
    expect(titlesOf("Refused (XSTest)", "Refused")).toEqual(["Refused (XSTest)", "Refused"]);
  });
});

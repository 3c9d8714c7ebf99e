import { describe, expect, it } from "vitest";
import { SeriesBook } from "./series-book.ts";

describe("SeriesBook", () => {
  it("gives a column its canonical name and keeps the source's beside it", () => {
    expect(new SeriesBook().seriesOf("train/loss", {}, 1)).toMatchObject({ name: "loss", sourceName: "train/loss" });
    expect(new SeriesBook().seriesOf("my metric", {}, 1)).toMatchObject({ name: "my metric", sourceName: "my metric" });
  });

  it("takes two names of one metric for one series when they follow each other, and for two columns when they stand on one line", () => {
    const book = new SeriesBook();
    const first = book.seriesOf("loss", {}, 1);
    expect(book.seriesOf("train/loss", {}, 2)).toBe(first);
    const columns = new SeriesBook();
    expect(columns.seriesOf("loss", {}, 1)?.name).toBe("loss");
    expect(columns.seriesOf("train/loss", {}, 1)?.name).toBe("train/loss");
    expect(columns.seriesOf("loss", {}, 2)?.name).toBe("loss");
    expect(columns.seriesOf("train/loss", {}, 2)?.name).toBe("train/loss");
  });

  it("tells ranks apart whatever the order of their labels", () => {
    const book = new SeriesBook();
    const one = book.seriesOf("loss", { rank: "0", phase: "eval" }, 1);
    expect(book.seriesOf("loss", { phase: "eval", rank: "0" }, 2)).toBe(one);
    expect(book.seriesOf("loss", { phase: "eval", rank: "1" }, 2)).not.toBe(one);
  });

  it("stays bounded when every line brings a new name, and counts what it leaves out", () => {
    const book = new SeriesBook();
    for (let line = 1; line <= 20_100; line++) book.seriesOf(`metric-${line}`, {}, line);
    expect(book.omitted).toBe(100);
    expect(book.seriesOf("metric-1", {}, 30_000)?.name).toBe("metric-1");
  });
});

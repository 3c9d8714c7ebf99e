import type { SeriesIdentity } from "@trainwatch/core";
import type { SeriesPlace } from "@trainwatch/store";
import { describe, expect, it } from "vitest";
import { type AskedSeries, createSeriesBook, isFault, type KnownSeries } from "./series-book.ts";

const T = Date.UTC(2026, 10, 29);

/** A book over a dictionary in memory that notes what it was told. */
function bookOn(mostSeries?: number) {
  const made = new Map<string, SeriesPlace>();
  const observed: { readonly timeMs: number; readonly indices: readonly string[] }[] = [];
  const book = createSeriesBook({
    ...(mostSeries === undefined ? {} : { mostSeries }),
    places: (identities) => {
      for (const { key } of identities) if (!made.has(key)) made.set(key, { groupId: 1 + (made.size >> 3), slot: made.size & 7 });
      return Promise.resolve(identities.map(({ key }) => made.get(key) ?? { groupId: 0, slot: 0 }));
    },
    observe: (identities, timeMs) => {
      observed.push({ timeMs, indices: identities.map(indexOf) });
      return Promise.resolve();
    },
  });
  const learn = async (sender: string, asked: AskedSeries, timeMs = T): Promise<KnownSeries> => {
    const [answer] = await book.learn(sender, [asked], timeMs);
    if (answer === undefined || isFault(answer)) throw new Error("it was refused");
    book.keep(sender, JSON.stringify(asked.labels), answer);
    return answer;
  };
  const find = (sender: string, { labels }: AskedSeries): KnownSeries | undefined => book.find(sender, JSON.stringify(labels));
  return { book, made, observed, learn, find };
}

function indexOf({ attributes }: SeriesIdentity): string {
  return attributes.find(({ name }) => name === "index")?.value ?? "";
}

function temperature(gpu: string, index: string, instance = "n1:9400"): AskedSeries {
  return { name: "DCGM_FI_DEV_GPU_TEMP", labels: { UUID: gpu, gpu: index, Hostname: "n1", job: "dcgm", instance } };
}

describe("the series book", () => {
  it("gives one place to a series however it is called, and notices that it is called as before (E4)", async () => {
    const { observed, learn, find, made } = bookOn();
    const [zero, three] = [temperature("GPU-1", "0"), temperature("GPU-1", "3")];
    const first = await learn("agent", zero);
    expect(find("agent", zero)).toMatchObject({ groupId: first.groupId, slot: first.slot });
    await learn("agent", three);
    expect(find("agent", three)).toMatchObject({ groupId: first.groupId, slot: first.slot });
    expect(find("agent", zero)).toBeUndefined();
    await learn("agent", zero);
    expect([find("agent", zero) !== undefined, find("agent", three)]).toEqual([true, undefined]);
    expect(observed.map(({ indices }) => indices[0])).toEqual(["0", "3", "0"]);
    expect(made.size).toBe(1);
  });

  it("keeps senders and targets apart that call a series differently at the same time", async () => {
    const { learn, find } = bookOn();
    const [agent, prometheus, second] = [
      temperature("GPU-1", "0"),
      temperature("GPU-1", "0", "10.0.0.1:9400"),
      temperature("GPU-1", "0", "n1:9401"),
    ];
    await learn("agent", agent);
    await learn("prometheus", prometheus);
    await learn("prometheus", second);
    expect([find("agent", agent), find("prometheus", prometheus), find("prometheus", second)]).not.toContain(undefined);
    expect(find("prometheus", agent)).toBeUndefined();
  });

  it("refuses a series by name and learns the others", async () => {
    const { book } = bookOn();
    const answers = await book.learn("s", [temperature("GPU-1", "0"), { name: "", labels: {} }, temperature("GPU-2", "1")], T);
    expect(answers.map((answer) => (isFault(answer) ? answer.code : answer.slot))).toEqual([0, "bad-name", 1]);
  });

  it("counts changes only where a place is called otherwise", async () => {
    const { book, learn } = bookOn();
    await learn("agent", temperature("GPU-1", "0"));
    await learn("agent", temperature("GPU-2", "1"));
    await learn("agent", temperature("GPU-1", "0"));
    expect(book.changes()).toBe(0);
    await learn("agent", temperature("GPU-1", "1"));
    expect(book.changes()).toBe(1);
  });

  it("forgets what is not used of late, and learns it again as the same place", async () => {
    const { learn, find } = bookOn(100);
    const old = temperature("GPU-old", "0");
    const place = await learn("agent", old);
    for (let index = 0; index < 200; index++) await learn("agent", temperature(`GPU-${index}`, "0"));
    expect(find("agent", old)).toBeUndefined();
    expect(await learn("agent", old)).toMatchObject({ groupId: place.groupId, slot: place.slot });
  });
});

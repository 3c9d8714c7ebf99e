import { describe, expect, it } from "vitest";
import { completed, keyToken, press, SEQUENCE_MS } from "./sequence.ts";

const plain = { ctrlKey: false, metaKey: false, altKey: false };
const bindings = [{ keys: "i" }, { keys: "g i" }, { keys: "j" }, { keys: "mod+k" }];

describe("key bindings", () => {
  it("reads Ctrl and ⌘ as the same modifier and leaves Alt to the system", () => {
    expect(keyToken({ ...plain, key: "k", ctrlKey: true })).toBe("mod+k");
    expect(keyToken({ ...plain, key: "K", metaKey: true })).toBe("mod+k");
    expect(keyToken({ ...plain, key: "j", altKey: true })).toBeNull();
    expect(keyToken({ ...plain, key: "Enter" })).toBe("Enter");
  });

  it("takes the pair before the single key", () => {
    const pressed = press(press(null, "g", 0), "i", 100);
    expect(completed(bindings, pressed)?.keys).toBe("g i");
  });

  it("forgets the first key after a pause", () => {
    const pressed = press(press(null, "g", 0), "i", SEQUENCE_MS + 1);
    expect(completed(bindings, pressed)?.keys).toBe("i");
  });

  it("answers a single key that follows an unrelated one", () => {
    expect(completed(bindings, press(press(null, "x", 0), "j", 10))?.keys).toBe("j");
    expect(completed(bindings, press(null, "g", 0))).toBeUndefined();
  });

  it("lets a later binding of the same key win over an earlier one", () => {
    const twice = [
      { keys: "e", from: "list" },
      { keys: "e", from: "page" },
    ];
    expect(completed(twice, press(null, "e", 0))?.from).toBe("page");
  });
});

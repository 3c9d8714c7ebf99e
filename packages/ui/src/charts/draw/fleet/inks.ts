import { useEffect, useState } from "react";

const NAMES = [
  "bg",
  "raise",
  "press",
  "line",
  "line-2",
  "grid",
  "t1",
  "t2",
  "t3",
  "accent",
  "crit",
  "crit-ink",
  "warn",
  "warn-ink",
  "info",
  "info-ink",
  "unk",
  "hatch",
  "ink",
  "ink-2",
  "band",
  "d-2",
  "d-1",
  "d0",
  "d1",
  "d2",
] as const;

/** The theme's colours as a canvas takes them: it knows no `var()` and no `light-dark()`. */
export type Inks = Readonly<Record<(typeof NAMES)[number], string>> & { readonly sans: string };

function readInks(): Inks {
  const probe = document.createElement("span");
  document.body.append(probe);
  const style = getComputedStyle(probe);
  const colour = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return style.color;
  };
  const found = { ...COLOURLESS, sans: getComputedStyle(document.documentElement).getPropertyValue("--sans") };
  for (const name of NAMES) found[name] = colour(name);
  probe.remove();
  return found;
}

const COLOURLESS: Record<(typeof NAMES)[number], string> = {
  bg: "",
  raise: "",
  press: "",
  line: "",
  "line-2": "",
  grid: "",
  t1: "",
  t2: "",
  t3: "",
  accent: "",
  crit: "",
  "crit-ink": "",
  warn: "",
  "warn-ink": "",
  info: "",
  "info-ink": "",
  unk: "",
  hatch: "",
  ink: "",
  "ink-2": "",
  band: "",
  "d-2": "",
  "d-1": "",
  d0: "",
  d1: "",
  d2: "",
};

/** Red, green and blue of a computed colour. */
export function channels(colour: string): readonly number[] {
  return (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
}

/** Follows the theme: a canvas painted in the other one must be painted anew. */
export function useInks(): Inks {
  const [inks, setInks] = useState(readInks);
  useEffect(() => {
    const again = (): void => setInks(readInks());
    const observer = new MutationObserver(again);
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    const system = matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", again);
    return () => {
      observer.disconnect();
      system.removeEventListener("change", again);
    };
  }, []);
  return inks;
}

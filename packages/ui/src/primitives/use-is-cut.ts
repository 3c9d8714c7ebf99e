import { useCallback, useState } from "react";

/** Whether an element is larger inside than outside: what scrolls must be reached by keys too, and what fits is no stop on the way. */
export function useIsCut(
  along: "across" | "down",
): readonly [ref: (element: HTMLElement | null) => (() => void) | undefined, isCut: boolean] {
  const [isCut, setIsCut] = useState(false);
  const ref = useCallback(
    (element: HTMLElement | null) => {
      if (element === null) return undefined;
      const measure = (): void =>
        setIsCut(along === "across" ? element.scrollWidth > element.clientWidth : element.scrollHeight > element.clientHeight);
      measure();
      const observer = new ResizeObserver(measure);
      observer.observe(element);
      for (const child of element.children) observer.observe(child);
      return () => observer.disconnect();
    },
    [along],
  );
  return [ref, isCut];
}

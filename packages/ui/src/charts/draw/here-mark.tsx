import { textWidthPx, type PreparedStack } from "../prepare/index.ts";
import { xPixel } from "./geometry.ts";

/** Through all lanes: the step that the page is about. */
export function HereLine({ stack, heightPx }: { readonly stack: PreparedStack; readonly heightPx: number }) {
  if (stack.here === null) return null;
  return (
    <svg width="3" height={heightPx} className="absolute top-0" style={{ left: xPixel(stack, stack.here.at) - 1.5 }} aria-hidden="true">
      <line x1="1.5" x2="1.5" y1="0" y2={heightPx} stroke="var(--accent)" strokeWidth="1.5" />
    </svg>
  );
}

/** Its flag on the axis. */
export function HereFlag({ stack, plotPx }: { readonly stack: PreparedStack; readonly plotPx: number }) {
  const { here } = stack;
  if (here === null) return null;
  const half = textWidthPx(here.text) / 2 + 6;
  const x = Math.min(Math.max(xPixel(stack, here.at), half), Math.max(half, plotPx - half));
  return (
    <span
      data-part="here"
      className="absolute top-[3px] h-4 -translate-x-1/2 rounded-chip bg-accent px-1.5 text-label font-semibold whitespace-nowrap text-accent-on"
      style={{ left: x }}
    >
      {here.text}
    </span>
  );
}

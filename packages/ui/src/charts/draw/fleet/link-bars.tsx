import type { FleetLinksView } from "@trainwatch/core";
import { errorRateText, fleetQuantity } from "../../prepare/fleet/index.ts";
import { useStripWidth } from "./strip-width.ts";

export type LinkView = FleetLinksView["links"][number];

export interface LinkBarsProps {
  readonly links: readonly LinkView[];
  /** What is drawn, for a reader: "NVLink of GPU 3". */
  readonly label: string;
  /** Highest traffic that a full bar stands for, bytes per second; so that GPUs of a node can be compared. */
  readonly topPerS: number;
}

const HIGH_PX = 46;
const ERROR_PX = 14;

/** A bar a link: traffic upwards, errors downwards. What no source tells is hatched, and never an empty bar. */
export function LinkBars({ links, label, topPerS }: LinkBarsProps) {
  const [ref, widthPx] = useStripWidth();
  const pitch = Math.min(28, widthPx / Math.max(1, links.length));
  const worst = worstLink(links);
  const topErrors = Math.max(1e-9, ...links.map((link) => link.errorsPerS ?? 0));
  return (
    <div ref={ref}>
      {widthPx === 0 ? null : (
        <svg
          width={widthPx}
          height={HIGH_PX + ERROR_PX + 34}
          role="img"
          aria-label={`${label}: ${linksWords(links)}`}
          className="overflow-visible"
        >
          <defs>
            <pattern id="link-hatch" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <line x1="0" x2="0" y1="0" y2="4" stroke="var(--hatch)" strokeWidth="1.4" />
            </pattern>
          </defs>
          {links.map((link, index) => (
            <Bar
              key={link.id}
              link={link}
              x={index * pitch}
              width={Math.max(1, pitch - 3)}
              topPerS={topPerS}
              topErrors={topErrors}
              isWorst={link === worst}
            />
          ))}
          <line x1="0" x2={pitch * links.length} y1={HIGH_PX + 0.5} y2={HIGH_PX + 0.5} stroke="var(--line-2)" />
          {worst === null ? null : (
            <text
              x={Math.min(links.indexOf(worst) * pitch, Math.max(0, widthPx - 150))}
              y={HIGH_PX + ERROR_PX + 32}
              fill="var(--crit-ink)"
            >{`link ${worst.port}: ${linkWords(worst)}`}</text>
          )}
        </svg>
      )}
    </div>
  );
}

interface BarProps {
  readonly link: LinkView;
  readonly x: number;
  readonly width: number;
  readonly topPerS: number;
  readonly topErrors: number;
  readonly isWorst: boolean;
}

function Bar({ link, x, width, topPerS, topErrors, isWorst }: BarProps) {
  const known = link.txPerS !== null;
  const high = known ? Math.max(0.5, Math.min(1, (link.txPerS ?? 0) / topPerS) * HIGH_PX) : 0;
  const errors = link.errorsPerS ?? 0;
  const lit = isWorst || link.state === "down";
  return (
    <g>
      <title>{`link ${link.port}: ${linkWords(link)}`}</title>
      <rect x={x} y="0" width={width} height={HIGH_PX} fill={known ? "var(--raise)" : "url(#link-hatch)"} />
      {known ? <rect x={x} y={HIGH_PX - high} width={width} height={high} fill={lit ? "var(--crit)" : "var(--ink-2)"} /> : null}
      {errors > 0 ? (
        <rect x={x} y={HIGH_PX + 2} width={width} height={Math.max(2, (errors / topErrors) * ERROR_PX)} fill="var(--crit)" />
      ) : (
        <rect
          x={x}
          y={HIGH_PX + 2}
          width={width}
          height={link.errorsPerS === null ? 4 : 1.5}
          fill={link.errorsPerS === null ? "url(#link-hatch)" : "var(--line-2)"}
        />
      )}
      <text
        x={x + width / 2}
        y={HIGH_PX + ERROR_PX + 16}
        textAnchor="middle"
        fill={lit ? "var(--t1)" : "var(--t3)"}
        style={{ fontSize: 10 }}
      >
        {width < 10 && link.port % 2 === 1 ? "" : link.port}
      </text>
    </g>
  );
}

/** The link that is worst off: down, else most errors; null where none is. */
export function worstLink(links: readonly LinkView[]): LinkView | null {
  const down = links.find((link) => link.state === "down");
  if (down !== undefined) return down;
  const erring = links.filter((link) => (link.errorsPerS ?? 0) > 0).sort((a, b) => (b.errorsPerS ?? 0) - (a.errorsPerS ?? 0));
  return erring[0] ?? null;
}

export function linkWords({ state, txPerS, rxPerS, errorsPerS }: LinkView): string {
  const rate = (perS: number | null): string => {
    if (perS === null) return "unknown";
    const { text, unit } = fleetQuantity(perS, { unit: "B/s", digits: 0 });
    return `${text} ${unit}`;
  };
  const errors = errorsPerS === null ? "errors unknown" : errorsPerS === 0 ? "no errors" : `${errorRateText(errorsPerS)} errors/s`;
  const traffic = txPerS === null && rxPerS === null ? "traffic unknown" : `${rate(txPerS)} sent, ${rate(rxPerS)} received`;
  return `${state === "unknown" ? "state unknown" : state}, ${traffic}, ${errors}`;
}

function linksWords(links: readonly LinkView[]): string {
  const worst = worstLink(links);
  const unknown = links.filter((link) => link.txPerS === null && link.errorsPerS === null).length;
  return [
    `${links.length} links`,
    worst === null ? "none with errors among those seen" : `worst is link ${worst.port}, ${linkWords(worst)}`,
    ...(unknown === 0 ? [] : [`${unknown} of which nothing is known`]),
  ].join("; ");
}

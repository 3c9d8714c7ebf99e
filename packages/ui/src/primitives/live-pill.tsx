import { formatInteger } from "../format/index.ts";

export interface LivePillProps {
  /** New points that came in while the view was held. */
  readonly count: number;
  readonly onShow: () => void;
}

/** The view holds still while somebody looks; this says what waits. Nothing is shown while nothing does. */
export function LivePill({ count, onShow }: LivePillProps) {
  if (count <= 0) return null;
  return (
    <button
      type="button"
      onClick={onShow}
      className="inline-flex h-6 items-center rounded-full border border-accent bg-accent-wash px-2.5 text-note whitespace-nowrap text-accent"
    >
      {formatInteger(count)} new, show
    </button>
  );
}

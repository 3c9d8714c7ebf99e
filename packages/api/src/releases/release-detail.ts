import type { GateView, ReleaseDetail } from "@trainwatch/core";
import { frozenDifferences, judgeGates } from "@trainwatch/decide";
import type { Records, StoredRelease, StoredReleaseOverride } from "@trainwatch/store";
import type { ApiContext } from "../context.ts";
import { loadComparison } from "./load-comparison.ts";
import { releaseSummary } from "./release-summary.ts";

/** A release with its comparison as of now. @param records those of a transaction, where one is under way */
export async function releaseDetail(
  ctx: Pick<ApiContext, "store" | "comparisons">,
  release: StoredRelease,
  records: Records = ctx.store.records,
): Promise<ReleaseDetail> {
  const { releaseId } = release;
  const overrides = await records.releases.overrides(releaseId);
  const signatures = await records.releases.signatures(releaseId);
  const { gates, facts, ...compared } = await loadComparison(ctx, { release, overrides, records });
  const { comparison } = compared;
  const frozen = release.frozen === null ? null : await records.releases.frozen(releaseId);
  return {
    ...releaseSummary(release),
    comparison,
    gateViews: withOverrides(judgeGates(compared, gates, facts), release, overrides),
    resultsBeforeGates: release.resultsBeforeGates,
    overrides: overrides.flatMap(({ rowKey, scorecardId, reason, actor, atMs }) =>
      rowKey === null ? [] : [{ rowKey, scorecardId, reason, actor, atMs }],
    ),
    signatures,
    frozen:
      release.frozen === null || frozen === null
        ? null
        : {
            hash: frozen.hash,
            atMs: frozen.atMs,
            rows: release.frozen.rows,
            changedRows: new Set(frozenDifferences(frozen.body, comparison).map(({ key }) => key)).size,
          },
  };
}

function withOverrides(
  views: readonly GateView[],
  { columns }: StoredRelease,
  overrides: readonly StoredReleaseOverride[],
): readonly GateView[] {
  return views.map((view) => ({
    ...view,
    cells: view.cells.map((cell) => {
      const scorecardId = columns[cell.column]?.scorecardId;
      const told = overrides.find((each) => each.gateId === view.gateId && each.scorecardId === scorecardId);
      return { ...cell, override: told === undefined ? null : { reason: told.reason, actor: told.actor, atMs: told.atMs } };
    }),
  }));
}

import { getRouteApi } from "@tanstack/react-router";
import type { FleetGpuView } from "@trainwatch/core";
import { Chip, CopyButton, formatInteger, SeverityShape, TitleRow } from "@trainwatch/ui";
import { CordonButton } from "../../fleet-parts/cordon-dialog.tsx";
import { ButtonLink, Link } from "../../routing/link.tsx";
import { When } from "../../clock/when.tsx";

const route = getRouteApi("/fleet/gpu/$gpuId");

export interface GpuTitleProps {
  readonly gpu: FleetGpuView;
  readonly run: { readonly id: number; readonly name: string } | null;
  readonly rank: number | null;
  readonly stage: number | null;
}

export function GpuTitle({ gpu, run, rank, stage }: GpuTitleProps) {
  const { at } = route.useSearch();
  const worst = gpu.incidents[0];
  const search = at === undefined ? {} : { at };
  return (
    <TitleRow
      mark={worst === undefined ? undefined : <SeverityShape mark={worst.severity} label={worst.severity} />}
      title={gpu.index === null ? gpu.node.host : `${gpu.node.host} GPU ${gpu.index}`}
      note={
        <>
          {gpu.id}
          {at === undefined ? null : (
            <>
              {" · as at "}
              <When ms={at} show="absolute" />
            </>
          )}
        </>
      }
      chips={
        <>
          {gpu.model === null ? null : <Chip title="Model">{gpu.model}</Chip>}
          {gpu.node.rack === null ? null : <Chip title="Rack">{gpu.node.rack}</Chip>}
          {run === null ? null : (
            <Chip title="Run that it works for">
              <Link to="/runs/$runId" params={{ runId: run.id }} look="plain">
                {run.name}
              </Link>
              {rank === null ? "" : ` rank ${formatInteger(rank)}`}
              {stage === null ? "" : ` stage ${stage}`}
            </Chip>
          )}
          {gpu.node.cordoned === null ? null : (
            <Chip tone="warning" title={gpu.node.cordoned.why}>
              node cordoned
            </Chip>
          )}
        </>
      }
      actions={
        <>
          <CopyButton text={gpu.id} label="Copy UUID" />
          <CordonButton node={gpu.node} />
          <ButtonLink to="/fleet/node/$nodeId" params={{ nodeId: gpu.node.id }} search={search} size="small" kind="quiet">
            Links of the node
          </ButtonLink>
          <ButtonLink to="/fleet" search={{ ...search, gpu: gpu.id }} size="small" kind="quiet">
            On the map
          </ButtonLink>
        </>
      }
    />
  );
}

import { getRouteApi } from "@tanstack/react-router";
import type { FleetLinksView } from "@trainwatch/core";
import { Chip, CopyButton, formatCount, SeverityWord, TitleRow } from "@trainwatch/ui";
import { When } from "../../clock/when.tsx";
import { CordonButton } from "../../fleet-parts/cordon-dialog.tsx";
import { verdictWords } from "../../fleet-parts/link-words.ts";
import { ButtonLink } from "../../routing/link.tsx";
import { shortIds } from "../../words/short-ids.ts";
import type { NodeGpu } from "./node-gpu.ts";

const route = getRouteApi("/fleet/node/$nodeId");

export function NodeTitle({ view, gpus }: { readonly view: FleetLinksView; readonly gpus: readonly NodeGpu[] | null }) {
  const { at } = route.useSearch();
  const verdict = verdictWords(view);
  const { node } = view;
  return (
    <TitleRow
      title={shortIds(node.host)}
      fullTitle={node.host}
      note={
        <>
          {gpus === null ? "" : `${formatCount(gpus.length, "GPU")}, `}
          {formatCount(view.links.length, "link")},{" "}
          {node.lastSampleAtMs === null ? (
            "no sample of late"
          ) : (
            <>
              last sample <When ms={node.lastSampleAtMs} show="relative" />
            </>
          )}
        </>
      }
      chips={
        <>
          <SeverityWord mark={verdict.mark} lit={verdict.mark === "critical"}>
            {`NVLink ${verdict.word.toLowerCase()}: ${verdict.why}`}
          </SeverityWord>
          {node.rack === null ? null : <Chip title="Rack">{node.rack}</Chip>}
          {node.cordoned === null ? null : (
            <Chip tone="warning" title={node.cordoned.why}>
              cordoned
            </Chip>
          )}
        </>
      }
      actions={
        <>
          <CopyButton text={node.id} label="Copy id" />
          <CordonButton node={node} />
          <ButtonLink
            to="/fleet"
            search={{ ...(at === undefined ? {} : { at }), ...(gpus?.[0] === undefined ? {} : { gpu: gpus[0].id }) }}
            size="small"
            kind="quiet"
          >
            On the map
          </ButtonLink>
        </>
      }
    />
  );
}

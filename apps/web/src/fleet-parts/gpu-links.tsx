import type { FleetLinksView } from "@trainwatch/core";
import { Hatched, Inset, Section, Stack, Text } from "@trainwatch/ui";
import { LinkBars } from "@trainwatch/ui/charts/fleet";
import { topTraffic } from "./link-words.ts";

/** NVLinks of one GPU. Where no source tells of them that is said, and no link is called good. */
export function GpuLinks({ gpuId, view }: { readonly gpuId: string; readonly view: FleetLinksView }) {
  const links = view.links.filter((link) => link.gpuId === gpuId);
  return (
    <Section plain title={links.length === 0 ? "NVLink" : `NVLink, ${links.length} links`} trailing={<Text>sent, and errors below</Text>}>
      <Inset>
        {links.length === 0 ? (
          <Stack gap={1}>
            <Hatched>unknown</Hatched>
            <Text tone="label" size="label">
              No source sends its links one by one.
            </Text>
          </Stack>
        ) : (
          <LinkBars links={links} label="NVLink of this GPU" topPerS={topTraffic(view.links)} />
        )}
      </Inset>
    </Section>
  );
}

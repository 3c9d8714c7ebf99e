import type { ReactNode } from "react";
import { SeverityShape } from "../../../primitives/severity-shape.tsx";

/** What the cells of the strip mean; on a phone only what asks for a look. */
export function NodeStripLegend() {
  return (
    <>
      <Entry wide swatch={<Swatch look="bg-press" />}>
        in a run
      </Entry>
      <Entry wide swatch={<Swatch look="border border-line-2" />}>
        spare
      </Entry>
      <Entry swatch={<Swatch look="bg-t2" />}>cordoned</Entry>
      <Entry swatch={<SeverityShape mark="unknown" size={9} />}>no data</Entry>
      <Entry wide swatch={<SeverityShape mark="critical" size={9} />}>
        critical
      </Entry>
      <Entry wide swatch={<SeverityShape mark="warning" size={9} />}>
        warning
      </Entry>
    </>
  );
}

function Entry({ swatch, wide = false, children }: { readonly swatch: ReactNode; readonly wide?: boolean; readonly children: string }) {
  return (
    <span className={`inline-flex items-center gap-1.5 whitespace-nowrap ${wide ? "max-desk:hidden" : ""}`}>
      {swatch}
      {children}
    </span>
  );
}

function Swatch({ look }: { readonly look: string }) {
  return <span aria-hidden="true" className={`inline-block h-2 w-2 ${look}`} />;
}

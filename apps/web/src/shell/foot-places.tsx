import { FootNav } from "@trainwatch/ui";
import { PAGES } from "../pages/registry.ts";
import { FootLink } from "../routing/link.tsx";

/** The phone's navigation: the same places as the top bar's, in the order of need at night. */
const ORDER = ["overview", "incidents", "runs", "fleet", "settings"];

export function FootPlaces() {
  const places = ORDER.flatMap((id) => PAGES.filter((page) => page.id === id));
  return (
    <FootNav>
      {places.map((page) => (
        <FootLink key={page.id} to={page.route.fullPath} activeOptions={{ exact: page.route.fullPath === "/", includeSearch: false }}>
          {page.footWord}
        </FootLink>
      ))}
    </FootNav>
  );
}

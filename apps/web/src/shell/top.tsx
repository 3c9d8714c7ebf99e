import { BrandMark, SearchButton, SeverityCounts, TopBar } from "@trainwatch/ui";
import { dataOf } from "../data/loaded.ts";
import { useStatus } from "../data/system.ts";
import { PAGES } from "../pages/registry.ts";
import { Link, NavLink } from "../routing/link.tsx";
import { ClockMenu } from "./clock-menu.tsx";
import { MOD_K } from "./platform.ts";
import { PersonMenu } from "./person-menu.tsx";

export function Top({ onPalette }: { readonly onPalette: () => void }) {
  const status = dataOf(useStatus());
  return (
    <TopBar
      brand={
        <Link to="/" look="plain" aria-label="Trainwatch, overview">
          <BrandMark />
        </Link>
      }
      navigation={PAGES.map((page) =>
        page.word === null ? null : (
          <NavLink key={page.id} to={page.route.fullPath} activeOptions={{ exact: page.route.fullPath === "/", includeSearch: false }}>
            {page.word}
          </NavLink>
        ),
      )}
      trailing={
        <>
          {status === null ? null : (
            <Link to="/incidents" look="plain">
              <SeverityCounts counts={status.openIncidents} unknown={status.blind.length} />
            </Link>
          )}
          <SearchButton onOpen={onPalette} keys={MOD_K} />
          <ClockMenu />
          <PersonMenu />
        </>
      }
    />
  );
}

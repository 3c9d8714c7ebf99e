import { Outlet } from "@tanstack/react-router";
import { Shell as Frame } from "@trainwatch/ui";
import { useState } from "react";
import { NowProvider } from "../clock/now.tsx";
import { useLiveMoves } from "../data/provider.tsx";
import { useSessionState } from "../data/connection.ts";
import { KeysProvider } from "../keys/keys.tsx";
import { ZoneProvider } from "../zone/zone.tsx";
import { CriticalAlert } from "./critical-alert.tsx";
import { FootPlaces } from "./foot-places.tsx";
import { GlobalKeys } from "./global-keys.tsx";
import { KeysDialog } from "./keys-dialog.tsx";
import { Notices } from "./notices.tsx";
import { PaletteDialog } from "./palette-dialog.tsx";
import { SignInPage } from "./sign-in-page.tsx";
import { StatusFoot } from "./status-foot.tsx";
import { Top } from "./top.tsx";

/** Around every page: who, when, how the system stands, and the ways to everywhere else. */
export function Shell() {
  // The page keeps its URL while somebody signs in, and stands where it was afterwards.
  const session = useSessionState();
  const signedOut = session === "signed-out" || session === "left";
  return (
    <ZoneProvider>
      <KeysProvider>{signedOut ? <SignInPage /> : <SignedIn />}</KeysProvider>
    </ZoneProvider>
  );
}

function SignedIn() {
  useLiveMoves();
  const [panel, setPanel] = useState<"palette" | "keys" | null>(null);
  const close = () => setPanel(null);
  return (
    <NowProvider>
      <CriticalAlert />
      <GlobalKeys onPalette={() => setPanel("palette")} onKeys={() => setPanel("keys")} />
      <Frame
        top={
          <>
            <Top onPalette={() => setPanel("palette")} />
            <Notices />
          </>
        }
        status={<StatusFoot onKeys={() => setPanel("keys")} />}
        foot={<FootPlaces />}
      >
        <Outlet />
      </Frame>
      {panel === "palette" ? <PaletteDialog onClose={close} /> : null}
      {panel === "keys" ? <KeysDialog onClose={close} /> : null}
    </NowProvider>
  );
}

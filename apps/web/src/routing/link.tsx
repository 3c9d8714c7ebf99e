import { createLink } from "@tanstack/react-router";
import { Anchor, ButtonAnchor, FootWord, NavWord } from "@trainwatch/ui";

/** Links to places inside the application, typed by the route tree, in the looks that `ui` gives. */
export const Link = createLink(Anchor);
export const ButtonLink = createLink(ButtonAnchor);
export const NavLink = createLink(NavWord);
export const FootLink = createLink(FootWord);

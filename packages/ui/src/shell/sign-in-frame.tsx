import type { ReactNode } from "react";
import { BrandMark } from "../layout/top-bar.tsx";

/** The page of somebody who is not signed in: one column, nothing else to look at. */
export function SignInFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <main className="mx-auto flex min-h-dvh w-[420px] max-w-full flex-col gap-3 px-4 pt-[18vh]">
      <BrandMark />
      <h1 className="text-title font-semibold">{title}</h1>
      {children}
    </main>
  );
}

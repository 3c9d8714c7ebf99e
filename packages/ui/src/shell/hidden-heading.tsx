/** The heading of a page whose look needs none: readers still find it. */
export function HiddenHeading({ children }: { readonly children: string }) {
  return <h1 className="sr-only">{children}</h1>;
}

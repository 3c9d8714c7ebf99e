/** One key cap. A sequence ("g i") is given as several keys. */
export function KeyHint({ keys }: { readonly keys: string }) {
  return (
    <span className="inline-flex gap-1" aria-hidden="true">
      {keys.split(" ").map((key, index) => (
        <kbd
          key={`${index}-${key}`}
          className="inline-block min-w-4 rounded-chip border border-line-2 px-1 text-center font-sans text-[10px]/[14px] font-medium text-t2"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}

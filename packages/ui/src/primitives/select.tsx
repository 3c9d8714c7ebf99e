export interface SelectOption<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly unavailable?: string | null | undefined;
}

export interface SelectProps<T extends string> {
  readonly label: string;
  /** Written before the chosen option, as in "Smoothing: off". */
  readonly prefix?: string | undefined;
  readonly value: T;
  readonly options: readonly SelectOption<T>[];
  readonly onChange: (value: T) => void;
}

/** One of a list. The browser's own list: it works with every pointer, keyboard and reader. */
export function Select<T extends string>({ label, prefix, value, options, onChange }: SelectProps<T>) {
  const choose = (chosen: string): void => {
    const option = options.find((candidate) => candidate.value === chosen);
    if (option !== undefined) onChange(option.value);
  };
  return (
    <span className="relative inline-flex h-6 w-fit items-center rounded-control border border-line-2 text-note hover:bg-raise focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-accent">
      {prefix === undefined ? null : (
        <span className="pl-2" aria-hidden="true">
          {prefix}
        </span>
      )}
      <select
        aria-label={label}
        value={value}
        onChange={(event) => choose(event.target.value)}
        className={`h-full cursor-pointer appearance-none [field-sizing:content] bg-transparent pr-6 text-t1 outline-none ${prefix === undefined ? "pl-2" : "pl-1"}`}
      >
        {options.map((option) => (
          <option
            key={option.value}
            value={option.value}
            disabled={typeof option.unavailable === "string"}
            title={option.unavailable ?? undefined}
          >
            {option.label}
          </option>
        ))}
      </select>
      <Chevron />
    </span>
  );
}

/** The mark of a control that opens a list. */
export function Chevron() {
  return (
    <svg
      className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2"
      width="7"
      height="5"
      viewBox="0 0 7 5"
      aria-hidden="true"
    >
      <path d="M.5.5 3.5 3.8 6.5.5" fill="none" stroke="var(--t3)" />
    </svg>
  );
}

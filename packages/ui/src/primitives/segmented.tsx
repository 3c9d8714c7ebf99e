import { ToggleGroup } from "radix-ui";

export interface SegmentOption<T extends string> {
  readonly value: T;
  readonly label: string;
  /** Why it cannot be chosen; the option stays in place, disabled, with this as its title. */
  readonly unavailable?: string | null | undefined;
}

export interface SegmentedProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly SegmentOption<T>[];
  readonly onChange: (value: T) => void;
}

/** A few choices of which one holds: x axis, unit, view. */
export function Segmented<T extends string>({ label, value, options, onChange }: SegmentedProps<T>) {
  const choose = (chosen: string): void => {
    // The group reports "" when the pressed option is pressed again; one of them always holds.
    const option = options.find((candidate) => candidate.value === chosen);
    if (option !== undefined) onChange(option.value);
  };
  return (
    <ToggleGroup.Root
      type="single"
      value={value}
      onValueChange={choose}
      aria-label={label}
      className="inline-flex h-6 w-fit max-w-full overflow-x-auto rounded-control border border-line-2 text-note whitespace-nowrap"
    >
      {options.map((option) => (
        <ToggleGroup.Item
          key={option.value}
          value={option.value}
          disabled={typeof option.unavailable === "string"}
          title={option.unavailable ?? undefined}
          className="border-l border-line-2 px-2 text-t2 first:border-l-0 hover:bg-raise disabled:cursor-help disabled:text-t4 disabled:hover:bg-transparent data-[state=on]:bg-press data-[state=on]:font-medium data-[state=on]:text-t1"
        >
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}

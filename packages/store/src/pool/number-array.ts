/**
 * Numbers as the value of a parameter such as `$2::float8[]`. The driver quotes each entry of an array on its own, which for thousands of
 * numbers takes longer than the database does with them.
 */
export function numberArray(values: readonly (number | null)[]): string {
  // A null within an array joins as nothing, and PostgreSQL wants the word.
  return `{${values.includes(null) ? values.map((value) => value ?? "NULL").join(",") : values.join(",")}}`;
}

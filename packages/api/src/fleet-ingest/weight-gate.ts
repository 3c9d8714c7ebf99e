/** Lets work in as long as what is inside weighs no more than a limit; the rest waits in the order in which it came. Something heavier goes alone. */
export interface WeightGate {
  within<T>(weight: number, act: () => Promise<T>): Promise<T>;
}

export function createWeightGate(limit: number): WeightGate {
  const waiting: { readonly weight: number; readonly enter: () => void }[] = [];
  let inside = 0;
  const admit = (): void => {
    for (let next = waiting[0]; next !== undefined && (inside === 0 || inside + next.weight <= limit); next = waiting[0]) {
      waiting.shift();
      inside += next.weight;
      next.enter();
    }
  };
  return {
    async within(weight, act) {
      await new Promise<void>((enter) => {
        waiting.push({ weight, enter });
        admit();
      });
      try {
        return await act();
      } finally {
        inside -= weight;
        admit();
      }
    },
  };
}

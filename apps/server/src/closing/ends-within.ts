/** Whether `act` ends within `limitMs`; it is not waited for any longer. A failure is its caller's. */
export async function endsWithin(limitMs: number, act: () => Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  try {
    return await Promise.race([act().then(() => true), limit]);
  } finally {
    clearTimeout(timer);
  }
}

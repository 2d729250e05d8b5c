import { signal } from "@preact/signals";

/** How many seconds the latest answer of each route was behind, at most; only those that came from a replica. */
const delays = signal<Readonly<Record<string, string>>>({});

export const delayOf = (path: string): string | undefined => delays.value[path];

/** Keeps the delay that an answer states, or that it states none any more. */
export function keepDelay(path: string, delay: string | null): void {
  if ((delays.peek()[path] ?? null) === delay) return;
  const { [path]: _, ...others } = delays.peek();
  delays.value = delay === null ? others : { ...others, [path]: delay };
}

import type { Store } from "@manifold-gateway/store";
import { vi } from "vitest";

type Methods = Record<string, (...args: unknown[]) => unknown>;

/** The calls that `work` makes of these methods of a store, each named as `part.method`. */
export async function storeCalls(
  store: Store,
  names: readonly string[],
  work: () => Promise<unknown>,
): Promise<string[]> {
  const calls: string[] = [];
  const spies = names.map((name) => {
    const [part, member] = name.split(".") as [keyof Store, string];
    const methods = store[part] as unknown as Methods;
    const method = methods[member]!;
    return vi.spyOn(methods, member).mockImplementation((...args) => {
      calls.push(name);
      return method(...args);
    });
  });
  try {
    await work();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return calls;
}

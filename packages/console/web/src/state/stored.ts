import { effect, type Signal, signal } from "@preact/signals";

/**
 * What the browser keeps from visit to visit, under a name of its own: read by `read` from what was there, which may be
 * of another version or not ours. Browsers that keep nothing forget it with the page.
 */
export function stored<Value>(name: string, read: (value: unknown) => Value): Signal<Value> {
  const current = signal(read(readJson(name)));
  effect(() => {
    const text = JSON.stringify(current.value);
    try {
      localStorage.setItem(name, text);
    } catch {
      // Full or forbidden.
    }
  });
  return current;
}

function readJson(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

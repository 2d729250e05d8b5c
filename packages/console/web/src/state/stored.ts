import { effect, type Signal, signal } from "@preact/signals";

/**
 * What the browser keeps from visit to visit, under a name of its own: read by `read` from what was there, which may be
 * of another version or not ours. Browsers that keep nothing forget it with the page.
 */
export function stored<Value>(name: string, read: (value: unknown) => Value): Signal<Value> {
  const current = signal(read(readStored(name)));
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

/** The value that the browser kept: JSON, or else the text itself, since earlier versions wrote plain words. */
function readStored(name: string): unknown {
  let text: string | null = null;
  try {
    text = localStorage.getItem(name);
    return JSON.parse(text ?? "null");
  } catch {
    return text;
  }
}

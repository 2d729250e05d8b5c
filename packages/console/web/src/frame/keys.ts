import { useEffect } from "preact/hooks";
import type { Screen } from "../screens.ts";

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches("input, select, textarea"));

interface Acts {
  go: (path: string) => void;
  help: () => void;
  find: () => void;
}

/** The time for the letter after `g`, in milliseconds. */
const PREFIX_MS = 1_500;

/** Presses the button that turns the page of the list. */
const turn = (to: "newer" | "older"): void =>
  document.querySelector<HTMLButtonElement>(`.pages [data-turn=${to}]`)?.click();

/**
 * Ctrl-K or ⌘K opens the palette from anywhere. `g` and a letter goes to a screen, `/` to the filters, `[` and `]` turn
 * pages, `?` shows the keys; nothing fires while a field is typed in.
 */
export function useKeys(screens: readonly Screen[], { go, help, find }: Acts): void {
  useEffect(() => {
    let waitsUntil = 0;
    const press = (event: KeyboardEvent): void => {
      const { key, timeStamp, ctrlKey, metaKey, altKey } = event;
      if (document.querySelector("dialog[open]")) return;
      if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === "k") {
        event.preventDefault();
        find();
        return;
      }
      if (ctrlKey || metaKey || altKey || isTyping(event.target)) return;
      if (document.querySelector(":popover-open")) return;
      if (timeStamp < waitsUntil) {
        waitsUntil = 0;
        const screen = screens.find((one) => one.key === key);
        // A table takes `j` and `k` unless they were meant for this.
        event.preventDefault();
        if (screen) go(screen.path);
        return;
      }
      if (key === "g") waitsUntil = timeStamp + PREFIX_MS;
      else if (key === "?") help();
      else if (key === "[") turn("newer");
      else if (key === "]") turn("older");
      else if (key === "/" || key === "f") {
        const field = document.querySelector<HTMLElement>("[data-filter]");
        if (!field) return;
        event.preventDefault();
        field.focus();
      }
    };
    document.addEventListener("keydown", press, true);
    return () => document.removeEventListener("keydown", press, true);
  }, [screens, go, help, find]);
}

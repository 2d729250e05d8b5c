import { useEffect } from "preact/hooks";
import type { Screen } from "../screens.ts";

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches("input, select, textarea"));

/** `g` and a letter goes to a screen, `/` to the filters, `?` shows the keys. Nothing fires while a field is typed in. */
export function useKeys(screens: readonly Screen[], go: (path: string) => void, help: () => void): void {
  useEffect(() => {
    let waitsUntil = 0;
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector("dialog[open]")) return;
      if (event.timeStamp < waitsUntil) {
        waitsUntil = 0;
        const screen = screens.find(({ key }) => key === event.key);
        // A table takes `j` and `k` unless they were meant for this.
        event.preventDefault();
        if (screen) go(screen.path);
        return;
      }
      if (event.key === "g") waitsUntil = event.timeStamp + 1_500;
      else if (event.key === "?") help();
      else if (event.key === "/" || event.key === "f") {
        const field = document.querySelector<HTMLElement>("[data-filter]");
        if (!field) return;
        event.preventDefault();
        field.focus();
      }
    };
    document.addEventListener("keydown", press, true);
    return () => document.removeEventListener("keydown", press, true);
  }, [screens, go, help]);
}

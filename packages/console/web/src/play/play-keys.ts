import { useEffect } from "preact/hooks";
import { isSending, send, stopAll } from "./sending.ts";

interface PlayKeys {
  onExplain: () => void;
  onPane: (number: number) => void;
}

/** Ctrl-Enter sends, with Shift it explains; Alt and a digit goes to a pane; Escape stops. They work in fields as well. */
export function usePlayKeys({ onExplain, onPane }: PlayKeys): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (document.querySelector("dialog[open]")) return;
      const { key, code, ctrlKey, metaKey, altKey, shiftKey } = event;
      // With Alt, keyboards write other characters than digits.
      const digit = altKey && !ctrlKey && !metaKey ? /^Digit([1-9])$/.exec(code)?.[1] : undefined;
      if (digit !== undefined) onPane(Number(digit));
      else if (key === "Enter" && (ctrlKey || metaKey)) {
        if (shiftKey) onExplain();
        else void send();
      } else if (key === "Escape" && isSending.value && !event.defaultPrevented) stopAll();
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [onExplain, onPane]);
}

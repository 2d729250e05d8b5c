import { useNarrow } from "../ui/narrow.ts";
import { panes } from "./desk.ts";
import { isSending, send, sendingFault, stopAll } from "./sending.ts";
import { Verdicts } from "./verdicts.tsx";

/** What would happen, and what makes it happen. */
export function SendBar({ onExplain }: { onExplain: () => void }) {
  const { length } = panes.value;
  const fault = sendingFault.value;
  const isNarrow = useNarrow();
  const press = (): void => {
    void send();
    // On a phone the answers are below what is seen.
    if (isNarrow) document.querySelector(".desk > .tabs, .desk > .panes")?.scrollIntoView({ block: "start" });
  };
  return (
    <div class="send-bar">
      <Verdicts />
      {fault !== undefined && (
        <p class="wrong" role="alert">
          Not sent while this is wrong: {fault}
        </p>
      )}
      <div class="acts">
        <button
          type="button"
          class="main"
          aria-disabled={length === 0 || fault !== undefined}
          onClick={press}
        >
          {length > 1 ? `Send all ${length}` : "Send"}
        </button>
        {isSending.value && (
          <button type="button" onClick={stopAll}>
            Stop
          </button>
        )}
        <button type="button" class="quiet" onClick={onExplain}>
          Dry run
        </button>
        <span class="faint keys">
          <kbd>Ctrl</kbd> <kbd>Enter</kbd> sends, <kbd>Esc</kbd> stops
        </span>
      </div>
    </div>
  );
}

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { count } from "../format.ts";
import { follow } from "../live/follow.ts";
import type { Whose } from "./source.ts";

interface FreshProps {
  whose: Whose;
  /** When the list was read; 0 before that. */
  at: number;
  isLive: boolean;
  /** Rows may move: the page stands at its top, and no request is open. */
  isMovable: () => boolean;
  onLive: (isLive: boolean) => void;
  onRefresh: () => void;
}

/** The least time between two readings of the list. */
const PAUSE_MS = 1_000;
/** The time after which a live list is read in any case: the stream has no requests that other processes serve. */
const LOOK_MS = 5_000;

/** Says as of when the list is, reads it again, and does so by itself while it is live. */
export function Fresh({ whose, at, isLive, isMovable, onLive, onRefresh }: FreshProps) {
  const ended = useSignal(0);
  const refresh = (): void => {
    ended.value = 0;
    onRefresh();
  };
  const isRead = at > 0;
  useEffect(() => {
    // A first reading is not begun again: what ends while it runs would be missed.
    if (!isLive || !isRead) return;
    let due: ReturnType<typeof setTimeout> | undefined;
    const leave = follow(whose, ({ type }) => {
      // What ended between the list and the stream would be missed.
      if (type === "open" && isMovable()) refresh();
      if (type !== "settled") return;
      ended.value += 1;
      due ??= setTimeout(() => {
        due = undefined;
        if (isMovable()) refresh();
      }, PAUSE_MS);
    });
    const looking = setInterval(() => {
      if (!document.hidden && isMovable()) refresh();
    }, LOOK_MS);
    return () => {
      leave();
      clearInterval(looking);
      clearTimeout(due);
    };
  }, [isLive, isRead, whose]);
  return (
    <span class="fresh">
      <button type="button" onClick={refresh}>
        {ended.value > 0 ? `${count(ended.value)} new` : "Refresh"}
      </button>
      <button type="button" aria-pressed={isLive} onClick={() => onLive(!isLive)}>
        Live
      </button>
      <span class="faint number">as of {at > 0 ? new Date(at).toISOString().slice(11, 19) : "–"}</span>
    </span>
  );
}

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { usd } from "../format.ts";
import type { Explanation } from "./explain.ts";

const QUIET_MS = 400;

interface StripProps {
  /** Asks anew; called again when `of` has changed and rested. */
  ask: (signal: AbortSignal) => Promise<Explanation>;
  of: unknown;
}

/** Says before Send what would become of the request: accepted or not, where it goes, what it holds. */
export function Strip({ ask, of }: StripProps) {
  const explanation = useSignal<Explanation | undefined>(undefined);
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      ask(stop.signal).then(
        (answer) => {
          explanation.value = answer;
        },
        () => {},
      );
    }, QUIET_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [of]);
  const one = explanation.value;
  if (!one) return <p class="strip faint">Checking the request …</p>;
  if (one.verdict === "refused") return <p class="strip bad">refused · {one.errors?.join(" ")}</p>;
  const lost = one.losses?.length ?? 0;
  return (
    <p class="strip">
      accepted · goes to <code>{one.entry}</code> · {one.translation}
      {lost > 0 && <span class="warn">, {lost === 1 ? "1 loss" : `${lost} losses`}</span>}
      {one.reservation !== undefined && ` · holds ${usd(one.reservation)}`}
      {one.headroom?.balance !== undefined && ` · ${usd(one.headroom.balance)} available`}
    </p>
  );
}

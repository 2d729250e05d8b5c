import { moment, usd } from "../format.ts";
import { CAPS, type CapName } from "../ui/caps.ts";
import { Gauge } from "../ui/gauge.tsx";
import type { Key } from "../ui/key-calls.ts";
import { reachedAt, span, windowEnd } from "./pace.ts";

interface CapCardsProps {
  of: Key;
  /** What the key spends in a day, in US dollars, as of the last seven. */
  perDay: number | undefined;
}

/** What a key may spend in each window and has spent, when that starts anew, and when the key stops at this pace. */
export function CapCards({ of: { name, caps = {} }, perDay }: CapCardsProps) {
  const now = Date.now();
  return (
    <ul class="cap-cards">
      {CAPS.map((cap) => {
        const found = caps[cap];
        return (
          <li key={cap}>
            {found ? (
              <>
                <Gauge title={cap} label={`${cap} cap of ${name}`} {...found} />
                <small>{edgeOf(cap, found, perDay, now)}</small>
              </>
            ) : (
              <>
                <span class="faint">{cap}</span>
                <small class="faint">No cap.</small>
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}

interface Cap {
  limit: number;
  spent: number;
  remaining: number;
}

function edgeOf(cap: CapName, { limit, spent, remaining }: Cap, perDay: number | undefined, now: number) {
  const end = windowEnd(cap, now);
  const resets = end === undefined ? "It never starts anew." : `It starts anew in ${span(end - now)}.`;
  if (spent >= limit) return <span class="bad">Reached: what costs is refused. {resets}</span>;
  const at = perDay === undefined ? undefined : reachedAt(cap, { limit, spent }, { perDay, now });
  return (
    <>
      {usd(remaining)} left. {resets}{" "}
      {at !== undefined && (
        <span class="warn">
          At the pace of the last 7 days it stops on {moment(new Date(at).toISOString()).slice(0, 16)}.
        </span>
      )}
    </>
  );
}

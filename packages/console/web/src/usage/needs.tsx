import type { Answer } from "../api/client.ts";
import { usd } from "../format.ts";
import { CAPS } from "../ui/caps.ts";

type Key = Answer<"/api/compat/v1/api-keys">["results"][number];

/** The spent share from which a cap is shown. */
const CLOSE = 0.8;
/** The days below which a balance is shown. */
const DAYS = 7;

interface NeedsProps {
  keys: readonly Key[];
  balance: number | undefined;
  perDay: number | undefined;
}

/** Warnings: caps that are nearly reached, a balance that is nearly spent. */
export function NeedsALook({ keys, balance, perDay }: NeedsProps) {
  const caps = keys.flatMap(({ id, name, isActive, caps = {} }) =>
    CAPS.flatMap((cap) => {
      const found = caps[cap];
      return isActive && found && found.limit > 0 && found.spent >= found.limit * CLOSE
        ? [{ id, name, cap, ...found }]
        : [];
    }),
  );
  const days = balance !== undefined && perDay ? balance / perDay : undefined;
  const isShort = days !== undefined && days < DAYS;
  if (caps.length === 0 && !isShort) return null;
  return (
    <section aria-label="Needs attention" class="needs">
      <h2>Needs attention</h2>
      <ul>
        {isShort && (
          <li>
            <a href="/console/balance">The balance</a> of {usd(balance ?? 0)} lasts for{" "}
            {Math.max(0, Math.floor(days))} more days at this pace.
          </li>
        )}
        {caps.map(({ id, name, cap, spent, limit }) => (
          <li key={`${id} ${cap}`}>
            <a href={`/console/keys/${encodeURIComponent(id)}`}>{name}</a> has spent {usd(spent)} of its {cap}{" "}
            cap of {usd(limit)}.
          </li>
        ))}
      </ul>
    </section>
  );
}

import type { ComponentChildren } from "preact";
import { usd } from "../format.ts";
import { CAPS } from "../ui/caps.ts";
import type { Key } from "../ui/key-calls.ts";
import { Section } from "../ui/section.tsx";
import { MEASURES } from "./measures.ts";
import { daysLeft } from "./runway.ts";

/** The spent share from which a cap is shown. */
const CLOSE = 0.8;
/** The days below which a balance, and a key that expires, are shown. */
const DAYS = 7;
const DAY = 86_400_000;
/** The share of failed requests from which they are shown, and the fewest requests that have one. */
const FAILING = { share: 0.05, least: 20 };

interface NeedsProps {
  keys: readonly Key[];
  balance: number | undefined;
  perDay: number | undefined;
  /** The requests of the range that the screen shows, and where they are. */
  requests: { total: number; failed: number; href: string } | undefined;
}

/** What needs a look: caps that are nearly reached, keys that end, a balance that is nearly spent, failures. */
export function NeedsALook({ keys, balance, perDay, requests }: NeedsProps) {
  const lines: [name: string, line: ComponentChildren][] = [];
  const days = balance !== undefined && perDay ? balance / perDay : undefined;
  if (days !== undefined && days < DAYS)
    lines.push([
      "balance",
      <>
        <a href="/console/balance">The balance</a> of {usd(balance ?? 0)} lasts{" "}
        {daysLeft(balance ?? 0, perDay ?? 0)} at this pace.
      </>,
    ]);
  if (requests && requests.total >= FAILING.least && requests.failed / requests.total >= FAILING.share)
    lines.push([
      "failures",
      <>
        <a href={requests.href}>{MEASURES.errors.show(requests.failed / requests.total)} of the requests</a>{" "}
        failed.
      </>,
    ]);
  for (const { id, name, isActive, revokedAt, caps = {}, restrictions } of keys) {
    if (!isActive || revokedAt !== undefined) continue;
    const link = <a href={`/console/keys/${encodeURIComponent(id)}`}>{name}</a>;
    for (const cap of CAPS) {
      const found = caps[cap];
      if (!found || found.limit <= 0 || found.spent < found.limit * CLOSE) continue;
      lines.push([
        `${id} ${cap}`,
        <>
          {link} has spent {usd(found.spent)} of its {cap} cap of {usd(found.limit)}.
        </>,
      ]);
    }
    const left =
      restrictions?.expiresAt == null ? undefined : Date.parse(restrictions.expiresAt) - Date.now();
    if (left !== undefined && left > 0 && left < DAYS * DAY)
      lines.push([
        `${id} expires`,
        <>
          {link} expires on {restrictions?.expiresAt?.slice(0, 10)}.
        </>,
      ]);
  }
  if (lines.length === 0) return null;
  return (
    <Section title="Needs a look" isCard>
      <ul>
        {lines.map(([name, line]) => (
          <li key={name}>{line}</li>
        ))}
      </ul>
    </Section>
  );
}

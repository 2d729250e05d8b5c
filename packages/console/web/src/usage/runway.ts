/** The days from which on a balance lasts for good, as far as people care. */
const MOST = 3_650;

/** How long a balance lasts at a pace in US dollars a day, in words; undefined if nothing is spent. */
export function daysLeft(balance: number, perDay: number): string | undefined {
  if (perDay <= 0) return undefined;
  const days = Math.max(0, Math.floor(balance / perDay));
  if (days >= MOST) return "for years";
  return days === 1 ? "1 day" : `${days} days`;
}

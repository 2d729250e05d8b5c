import type { Sums } from "./measures.ts";

interface ChangeProps {
  of: (sums: Sums) => number | undefined;
  total: Sums;
  before: Sums;
}

/** From here on a percentage says no more than that there was hardly anything before. */
const MOST = 900;

/** How a figure changed against the range before; nothing where there was none. */
export function Change({ of, total, before }: ChangeProps) {
  const [now, then] = [of(total), of(before)];
  if (now === undefined || then === undefined) return null;
  if (then === 0) return now === 0 ? null : <span class="faint">new</span>;
  const share = Math.round(((now - then) / then) * 100);
  const text =
    share === 0
      ? "as before"
      : share > MOST
        ? "hardly any before"
        : `${share > 0 ? "+" : "−"}${Math.abs(share)} %`;
  return (
    <span class="faint" title="Against the range before, which is as long">
      {text}
    </span>
  );
}

import type { ComponentChildren } from "preact";
import { exactUsd } from "../format.ts";
import { Facts } from "../ui/parts.tsx";
import type { Detail } from "./detail.ts";
import { type Balanced, heldOf } from "./hold.ts";

const Exact = ({ of }: { of: number }) => <span class="number">{exactUsd(of)}</span>;

/** What was held for a request, what was given back, and the balance before and after its charge. */
export function Hold({ of: one, movements }: { of: Detail; movements: readonly Balanced[] | undefined }) {
  const { held, charged, rest, balance, together } = heldOf(one, movements);
  const facts: [string, ComponentChildren][] = [["Held", <Exact key="h" of={held} />]];
  if (charged !== undefined) facts.push(["Charged", <Exact key="c" of={charged} />]);
  if (rest !== undefined)
    facts.push([rest < 0 ? "Charged beyond the hold" : "Given back", <Exact key="r" of={Math.abs(rest)} />]);
  if (balance)
    facts.push(
      ["Balance before", <Exact key="b" of={balance.before} />],
      ["Balance after", <Exact key="a" of={balance.after} />],
    );
  return (
    <>
      <h2>Hold and balance</h2>
      <Facts of={facts} />
      {together !== undefined && (
        <p>
          It was charged in one movement of {exactUsd(together)} with requests that ended at the same time.
          They have no order among themselves: the balance is the one before and after all of them.
        </p>
      )}
      {one.isLeased && (
        <p class="faint">
          Its hold was taken from credit that the service had set aside for several requests of this key.
        </p>
      )}
      {charged === undefined && <p class="faint">What it does not cost is given back when it ends.</p>}
    </>
  );
}

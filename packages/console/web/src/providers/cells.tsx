import { count } from "../format.ts";
import { Status } from "../ui/parts.tsx";
import { MEASURES } from "../usage/measures.ts";
import { BAD_SHARE, type Summary } from "./words.ts";

/** The share of calls that a provider failed; how many those were is a hover away. */
export const Errors = ({
  of: { errorShare, failedCalls, calls },
}: {
  of: Pick<Summary, "errorShare" | "failedCalls" | "calls">;
}) =>
  errorShare === undefined ? (
    <>–</>
  ) : (
    <span
      class={errorShare >= BAD_SHARE ? "bad" : ""}
      title={`${count(failedCalls)} of ${count(calls)} calls failed`}
    >
      {MEASURES.errors.show(errorShare)}
    </span>
  );

/** The circuits of a provider's routes by their states; those that are closed are said if there are no others. */
export function Circuits({ of: { closed, open, halfOpen, paused } }: { of: Summary["circuits"] }) {
  const states = [
    ["open", open],
    ["half-open", halfOpen],
    ["paused", paused],
  ] as const;
  const others = states.filter(([, number]) => number > 0);
  if (others.length === 0) return closed === 0 ? <>–</> : <Status of="closed" />;
  return (
    <>
      {others.map(([state, number]) => (
        <span key={state}>
          <Status of={state} /> {number > 1 && number}{" "}
        </span>
      ))}
    </>
  );
}

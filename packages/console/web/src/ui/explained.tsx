import type { ComponentChildren } from "preact";
import { usd } from "../format.ts";
import type { ExplainedCandidate, Explanation } from "../play/explain.ts";
import { inWords, PROTOCOLS, SKIPS } from "../request/words.ts";
import { Json } from "./json.tsx";
import type { Mark } from "./mark.ts";
import { Facts } from "./parts.tsx";

interface ExplainedProps {
  of: Explanation;
  body: unknown;
  /** The body in the protocol of the provider, where it is known. */
  upstream: unknown;
  /** What can be done with the request. */
  acts?: ComponentChildren;
  /** False where the route stands elsewhere on the page. */
  hasRoute?: boolean;
}

interface TraitsProps {
  of: NonNullable<ExplainedCandidate["traits"]>;
  families: ExplainedCandidate["families"];
}

/** What is known of a model, and where each fact is from. */
const Traits = ({ of: traits, families = [] }: TraitsProps) => (
  <details>
    <summary>{traits.length === 1 ? "One trait" : `${traits.length} traits`}</summary>
    {families.map(({ row, at, read }) => (
      <p class="faint" key={row}>
        Of the family <code>{row}</code>, read from {at}, {read}
      </p>
    ))}
    <ul>
      {traits.map(({ trait, value, from }) => (
        <li key={trait}>
          <code>{trait}</code> {JSON.stringify(value)} <span class="faint">from the {from}</span>
        </li>
      ))}
    </ul>
  </details>
);

/** The result of a dry run: the verdict, the way, the losses on the body itself, the money. */
export function Explained({ of: explanation, body, upstream, acts, hasRoute = true }: ExplainedProps) {
  const { verdict, errors = [], losses = [], hints = [], route, cost, reservation } = explanation;
  // Operators see the provider's name.
  const first = route?.candidates[0];
  const marks = new Map<string, Mark>(
    losses.map(({ path, why, detail }) => [
      path,
      { tone: why === "unsupported" ? "bad" : "warn", text: detail ? `${why}: ${detail}` : why },
    ]),
  );
  return (
    <section class="explained" aria-label="Result">
      <p role="status" class={`strip ${verdict === "refused" ? "bad" : ""}`}>
        {verdict === "refused"
          ? `It would be refused. ${errors.join(" ")}`
          : `It would be accepted, go to ${first?.provider ?? explanation.entry}, and be ${explanation.translation === "passthrough" ? "passed through unchanged" : "translated"}${losses.length > 0 ? `, with ${losses.length === 1 ? "one loss" : `${losses.length} losses`}` : ", with nothing lost"}.`}
      </p>
      {acts && <div class="acts">{acts}</div>}
      {hasRoute && route && (
        <>
          <h2>Route</h2>
          <ol>
            {route.candidates.map(({ entry, protocol, decidedBy, families, traits = [] }) => (
              <li key={entry}>
                <code>{entry}</code>{" "}
                <span class="faint">
                  {inWords(PROTOCOLS, protocol ?? "")}
                  {decidedBy && `, ranked here by ${decidedBy}`}
                </span>
                {traits.length > 0 && <Traits of={traits} families={families} />}
              </li>
            ))}
            {route.skipped.map(({ entry, why, detail }) => (
              <li key={`${entry} ${why}`} class="warn">
                <code>{entry}</code> skipped: {inWords(SKIPS, why)}
                {detail !== undefined && ` (${detail})`}
              </li>
            ))}
          </ol>
        </>
      )}
      <h2>{losses.length > 0 ? "Request body, with losses" : "Request body"}</h2>
      <Json value={body} label="Request body, with losses" marks={marks} />
      <ul>
        {losses.map(({ path, why, detail }) => (
          <li key={`${path} ${why}`}>
            <code>{path}</code> {why}
            {detail !== undefined && `: ${detail}`}
          </li>
        ))}
      </ul>
      {hints.length > 0 && <p>Hints: {hints.join("; ")}</p>}
      {upstream !== undefined && (
        <>
          <h2>Request to the provider</h2>
          <Json value={upstream} label="Request to the provider" />
        </>
      )}
      {cost && (
        <Facts
          of={[
            ["Minimum cost", cost.least === undefined ? "–" : usd(cost.least)],
            ["Maximum cost", cost.most === undefined ? "–" : usd(cost.most)],
            ["Amount held", reservation === undefined ? "–" : usd(reservation)],
          ]}
        />
      )}
      <Headroom of={explanation} />
    </section>
  );
}

/** The balance and each cap, with what the request would take of them. */
function Headroom({ of: { headroom, reservation = 0 } }: { of: Explanation }) {
  if (!headroom) return null;
  const { balance, caps = {} } = headroom;
  const rows = [
    ...(balance === undefined ? [] : [{ name: "balance", left: balance, whole: balance }]),
    ...Object.entries(caps).map(([name, { remaining, limit }]) => ({ name, left: remaining, whole: limit })),
  ];
  return (
    <>
      <h2>Remaining budget</h2>
      <ul class="headroom">
        {rows.map(({ name, left, whole }) => (
          <li key={name}>
            <label>
              {name}: {usd(left)} left{whole !== left && ` of ${usd(whole)}`}, {usd(reservation)} would be
              held
              <meter
                min={0}
                max={whole || 1}
                value={Math.max(0, left - reservation)}
                low={(whole || 1) / 5}
              />
            </label>
          </li>
        ))}
      </ul>
    </>
  );
}

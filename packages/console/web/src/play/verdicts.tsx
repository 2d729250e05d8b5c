import { usd } from "../format.ts";
import { panes } from "./desk.ts";
import type { Explanation } from "./explain.ts";
import { type Check, paneState } from "./pane-state.ts";

interface Line {
  text: string;
  tone: "" | "faint" | "bad";
}

const lossesOf = ({ losses = [] }: Explanation): string[] =>
  losses.length === 0 ? [] : [losses.length === 1 ? "1 loss" : `${losses.length} losses`];

/** Where a request would go and what it would hold, in a line. */
export function sayCheck(check: Check | undefined): Line {
  if (!check) return { text: "checking …", tone: "faint" };
  if ("fault" in check) return { text: check.fault, tone: "bad" };
  const { explanation } = check;
  if (explanation.verdict === "refused")
    return { text: `refused: ${explanation.errors?.join(" ")}`, tone: "bad" };
  const [first] = explanation.route?.candidates ?? [];
  const facts = [
    `goes to ${first?.provider ?? explanation.entry}`,
    explanation.translation === "passthrough" ? "as it is" : "translated",
    ...lossesOf(explanation),
    ...(explanation.reservation === undefined ? [] : [`holds ${usd(explanation.reservation)}`]),
  ];
  return { text: facts.join(" · "), tone: "faint" };
}

/** What the caps and the balance leave after the holds: the least of them. */
function sayRoom(explanations: readonly Explanation[], held: number): string[] {
  const [first] = explanations;
  if (!first?.headroom) return [];
  const { balance, caps = {} } = first.headroom;
  const rooms = [
    ...Object.entries(caps).map(([name, { remaining }]) => ({ name: `the ${name} cap`, left: remaining })),
    ...(balance === undefined ? [] : [{ name: "the balance", left: balance }]),
  ].sort((a, b) => a.left - b.left);
  const [least] = rooms;
  return least ? [`${least.name} leaves ${usd(Math.max(0, least.left - held))}`] : [];
}

/** What would become of all requests together, always current. */
export function Verdicts() {
  const checks = panes.value.map(({ id }) => paneState(id).check.value);
  const known = checks.filter((check) => check !== undefined);
  if (panes.value.length === 0) return <p class="strip faint">Choose a protocol of a model.</p>;
  if (known.length < checks.length) return <p class="strip faint">Checking the request …</p>;
  const accepted = known.flatMap((check) =>
    "explanation" in check && check.explanation.verdict === "accepted" ? [check.explanation] : [],
  );
  const held = accepted.reduce((sum, { reservation = 0 }) => sum + reservation, 0);
  const lost = accepted.reduce((sum, { losses = [] }) => sum + losses.length, 0);
  if (known.length === 1 && known[0]) {
    const { text, tone } = sayCheck(known[0]);
    const facts = accepted.length === 1 ? ["accepted", text, ...sayRoom(accepted, held)] : [text];
    return <p class={`strip ${tone === "bad" ? "bad" : ""}`}>{facts.join(" · ")}</p>;
  }
  const isPartly = accepted.length < known.length;
  const facts = [
    isPartly ? `${accepted.length} of ${known.length} accepted` : `all ${known.length} accepted`,
    ...(lost > 0 ? [lost === 1 ? "1 loss" : `${lost} losses`] : []),
    ...(held > 0 ? [`holds ${usd(held)}`] : []),
    ...sayRoom(accepted, held),
  ];
  return <p class={`strip ${isPartly ? "bad" : ""}`}>{facts.join(" · ")}</p>;
}

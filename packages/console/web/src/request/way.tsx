import { count, counted, duration } from "../format.ts";
import { Facts } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";
import type { Detail } from "./detail.ts";
import type { Try } from "./why.ts";
import { DECISIONS, FAULTS, inWords, PROTOCOLS, SKIPS } from "./words.ts";

function outcomeOf({ status, fault, perhapsCharged }: Try): { text: string; isGood: boolean } {
  const isGood = fault === undefined && status !== undefined && status < 400;
  const why =
    fault !== undefined
      ? inWords(FAULTS, fault)
      : status === undefined
        ? "no response"
        : isGood
          ? "succeeded"
          : status === 429
            ? "rate limited (429)"
            : status >= 500
              ? `failed (${status})`
              : `request refused (${status})`;
  return { text: perhapsCharged ? `${why}; the provider may have charged for it` : why, isGood };
}

/** The calls of providers, who could have been called, and how fast the answer came. */
export function Way({ of: { attempts = [], candidates, speed, guards = [] } }: { of: Detail }) {
  const tries = attempts as Try[];
  const protocols = new Map(candidates.map(({ entry, protocol }) => [entry, protocol]));
  return (
    <>
      <h2>Attempts</h2>
      {tries.length === 0 ? (
        <p class="faint">No attempt was recorded.</p>
      ) : (
        <Tries of={tries} protocols={protocols} />
      )}
      {speed && <Speed of={speed} />}
      {guards.length > 0 && <Guards of={guards} />}
      <h2>Candidates</h2>
      {candidates.length === 0 && <p class="faint">No candidates were recorded.</p>}
      <ol>
        {candidates.map(({ entry, protocol, why, detail }) => (
          <li key={entry}>
            <code>{entry}</code> <span class="faint">{inWords(PROTOCOLS, String(protocol ?? ""))}</span>
            {why !== undefined && (
              <span class="warn">
                {" "}
                skipped: {inWords(SKIPS, String(why))}
                {detail !== undefined && ` (${detail})`}
              </span>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

/** What guards decided about the request and its answer. */
const Guards = ({ of: guards }: { of: NonNullable<Detail["guards"]> }) => (
  <>
    <h2>Guards</h2>
    <Table
      caption="Guards"
      rows={guards.map((one, at) => ({ ...one, at }))}
      keyOf={({ at }) => String(at)}
      columns={[
        { title: "Guard", cell: ({ guard }) => guard },
        { title: "Of", card: "bare", cell: ({ phase }) => phase },
        {
          title: "Decision",
          card: "side",
          cell: ({ decision, masked = 0 }) => (
            <span class={decision === "allowed" ? "good" : decision === "masked" ? "warn" : "bad"}>
              {inWords(DECISIONS, decision)}
              {masked > 0 && ` ${counted(masked, "text")}`}
            </span>
          ),
        },
        { title: "Reason", card: "line", cell: ({ reason = "–" }) => reason },
        { title: "Time", isNumber: true, cell: ({ ms }) => duration(ms) },
      ]}
    />
  </>
);

function Tries({ of: tries, protocols }: { of: readonly Try[]; protocols: ReadonlyMap<string, unknown> }) {
  const whole = tries.reduce((sum, { ms = 0 }) => sum + ms, 0);
  const rows = tries.map((one, at) => {
    const began = tries.slice(0, at).reduce((sum, { ms = 0 }) => sum + ms, 0);
    return { ...one, at, began, outcome: outcomeOf(one) };
  });
  return (
    <Table
      caption="Attempts"
      rows={rows}
      keyOf={({ at }) => String(at)}
      columns={[
        { title: "Attempt", cell: ({ at }) => at + 1 },
        { title: "Route", cell: ({ entry }) => <code>{entry}</code> },
        {
          title: "Protocol",
          cell: ({ entry }) => inWords(PROTOCOLS, String(protocols.get(entry) ?? "–")),
        },
        {
          title: "Outcome",
          cell: ({ outcome, error }) => (
            <>
              <span class={outcome.isGood ? "good" : "bad"}>{outcome.text}</span>
              {error?.message !== undefined && <div class="faint">{error.message}</div>}
            </>
          ),
        },
        {
          title: "When",
          cell: ({ began, ms = 0, outcome }) => (
            <svg class="span" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              <rect
                class={outcome.isGood ? "good" : "bad"}
                x={whole > 0 ? (began / whole) * 100 : 0}
                width={whole > 0 ? Math.max(1, (ms / whole) * 100) : 100}
                height="10"
              />
            </svg>
          ),
        },
        { title: "Time to response", isNumber: true, cell: ({ ms }) => duration(ms) },
      ]}
    />
  );
}

function Speed({ of: speed }: { of: Record<string, unknown> }) {
  const { firstTokenMs, tokensPerSecond } = speed as { firstTokenMs?: number; tokensPerSecond?: number };
  return (
    <Facts
      of={[
        ["First token", duration(firstTokenMs)],
        [
          "Throughput",
          tokensPerSecond === undefined ? "–" : `${count(Math.round(tokensPerSecond))} tokens per second`,
        ],
      ]}
    />
  );
}

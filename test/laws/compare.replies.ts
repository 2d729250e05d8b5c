import type { Loss, Protocol, Usage } from "@manifold-gateway/core";
import type { Reply, TextPart, TokenLogprob } from "@manifold-gateway/core/ir";
import { differences, token } from "./compare.ts";
import { type Comparison, compareFacts, type Fact, sorted, teller, without } from "./facts.ts";

/** A text without what is said of it, and that as facts of their own: a span that is not told is the whole text. */
function apart(fact: Fact): [Fact, ...Fact[]] {
  const { citations = [], extra, logprobs, ...rest } = fact.value as unknown as TextPart;
  const value = { ...rest, ...(logprobs && { logprobs: withoutBytes(logprobs) }) };
  const { path, role } = fact;
  const cited = citations.flatMap(({ raw: _, ...told }, i): Fact[] => {
    const span = { start: 0, end: value.text.length, ...told };
    const said = told.url !== undefined || told.title !== undefined || told.quote !== undefined;
    return said ? [{ path: `${path}/citations/${i}`, role, kind: "citation", value: span }] : [];
  });
  const fields = Object.entries(extra ?? {}).map(
    ([name, field]): Fact => ({ path: `${path}/extra/${token(name)}`, role, kind: name, value: { field } }),
  );
  return [{ ...fact, value: value as unknown as Fact["value"] }, ...cited, ...fields];
}

/** Logprobs without the bytes of tokens that are whole text: those are the text. */
function withoutBytes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBytes);
  const { token: text, bytes, top, ...rest } = value as TokenLogprob;
  const same = bytes && String(new TextEncoder().encode(text)) === String(bytes);
  return { token: text, ...rest, ...(bytes && !same && { bytes }), ...(top && { top: withoutBytes(top) }) };
}

const textOf = (fact: Fact): string => fact.value.text as string;

const shifted = ({ value, ...fact }: Fact, by: number): Fact =>
  fact.kind === "citation"
    ? { ...fact, value: { ...value, start: (value.start as number) + by, end: (value.end as number) + by } }
    : { ...fact, value };

/** Neighbouring texts as one, as wires with one string for them tell it, before what is said of them. */
function joinTexts(facts: readonly Fact[]): Fact[] {
  const joined: Fact[] = [];
  let run: Fact[] = [];
  for (const fact of facts) {
    const [text, ...about] = fact.kind === "text" ? apart(fact) : [fact];
    const [before, ...told] = run;
    if (
      before &&
      text.kind === "text" &&
      before.role === text.role &&
      before.value.refusal === text.value.refusal
    ) {
      const logprobs = [before, text].flatMap(({ value }) => (value.logprobs ?? []) as unknown[]);
      const value = {
        ...before.value,
        text: textOf(before) + textOf(text),
        ...(logprobs.length > 0 && { logprobs }),
      };
      run = [{ ...before, value }, ...told, ...about.map((each) => shifted(each, textOf(before).length))];
      continue;
    }
    joined.push(...run);
    run = text.kind === "text" ? [text, ...about] : [];
    if (text.kind !== "text") joined.push(text);
  }
  return [...joined, ...run];
}

/** Counts; a part that is nothing is as good as not told. */
const counted = (usage: Usage | undefined): unknown =>
  usage &&
  Object.fromEntries(
    (Object.entries(usage) as [string, number][]).filter(
      ([name, count]) => count > 0 || name === "input" || name === "output",
    ),
  );

/**
 * What arrived of a reply that was written in the protocol `to`. Ids, times and the wire's own words for the end
 * are the writer's; of a failure the message counts, without words for clients before it, and what was said. Alike are texts joined or not,
 * and a citation with the wire's own form of it or without.
 */
export function compareReplies(
  sent: Reply,
  arrived: Reply,
  to: Protocol,
  losses: readonly Loss[],
): Comparison {
  const rest = (reply: Reply): Record<string, unknown> => ({
    choices: reply.choices.map(({ finish }) => {
      if (!finish) return {};
      const { raw: _, ...said } = finish;
      return { finish: said };
    }),
    ...(sent.failure && { failure: reply.failure?.message.replace(/^prompt is too long: /, "") }),
    usage: counted(reply.usage),
  });
  const facts = (reply: Reply): Fact[] => {
    const tell = teller(to);
    return reply.choices.flatMap(({ parts }, i) =>
      parts.flatMap((part, j) => tell(part, `/choices/${i}/parts/${j}`, `choice ${i}`)),
    );
  };
  const said = compareFacts(joinTexts(without(facts(sent), losses)), joinTexts(facts(arrived)), losses);
  const about = sorted(differences(rest(sent), rest(arrived)));
  return { missing: [...said.missing, ...about.missing], added: [...said.added, ...about.added] };
}

import type { Answer } from "../api/client.ts";
import { ago, count, counted, usd } from "../format.ts";
import type { State } from "../providers/state.ts";
import { some } from "../providers/words.ts";

export type Overview = Answer<"/api/admin/overview">;
type Circuits = Pick<State, "providers">;
type Reload = Answer<"/api/admin/config/reloads">["reloads"][number];

/** Something that an operator should look at, with where it leads. */
export interface Item {
  /** What it is about, which leads there. */
  name: string;
  href: string;
  /** The rest of the sentence. */
  text: string;
  tone: "bad" | "warn";
}

const DAY = 86_400_000;
/** The days after which the books should be audited again. */
const AUDIT_DAYS = 7;

const providerPage = (id: string): string => `/console/providers/${encodeURIComponent(id)}`;
const requestPage = (id: string): string => `/console/requests/${encodeURIComponent(id)}`;

/** The providers that have an open circuit in the process that answers, for all accounts or for some. */
const circuits = ({ providers }: Circuits): Item[] =>
  providers.flatMap(({ id, entries }) => {
    const item = (of: typeof entries, scope: string, tone: Item["tone"]): Item[] => {
      const first = of.flatMap(({ openSince = [] }) => openSince).toSorted()[0];
      const opened = first === undefined ? "" : `, ${of.length > 1 ? "the first " : ""}opened ${ago(first)}`;
      const text = ` has ${counted(of.length, "open circuit")}${scope}${opened}: ${some(of.map(({ model }) => model))}.`;
      return of.length > 0 ? [{ name: id, href: providerPage(id), text, tone }] : [];
    };
    const open = entries.filter(({ circuit }) => circuit === "open");
    const ofSome = entries.filter(({ circuit, openAccounts = 0 }) => circuit !== "open" && openAccounts > 0);
    return [...item(open, "", "bad"), ...item(ofSome, " for some accounts", "warn")];
  });

const failing = ({ failing: routes }: Overview): Item[] =>
  routes.map(({ provider, model, failedCalls, calls, errorShare = 0 }) => ({
    ...{ name: provider, href: providerPage(provider), tone: "bad" },
    text: ` failed ${count(failedCalls)} of ${count(calls)} calls of ${model} (${Math.round(errorShare * 100)} %).`,
  }));

/** What began and has not ended as it should: the newest is linked. */
const unfinished = (list: Overview["orphans"], one: string, state: string): Item[] => {
  const [newest] = list;
  if (!newest) return [];
  const text = ` ${state}, the last one ${ago(newest.createdAt)}.`;
  return [{ name: counted(list.length, one), href: requestPage(newest.id), text, tone: "warn" }];
};

const unpriced = ({ unpriced: routes }: Overview): Item[] =>
  routes.length === 0
    ? []
    : [
        {
          ...{ name: counted(routes.length, "route"), href: "/console/catalog", tone: "warn" },
          text: ` without a price for what they make, and so not sold: ${some(routes.map(({ provider, model }) => `${model} at ${provider}`))}.`,
        },
      ];

const accounts = ({ accounts: list }: Overview): Item[] =>
  list.map(({ id, name, usdAvailable, days }) => ({
    ...{ name, href: `/console/accounts/${encodeURIComponent(id)}`, tone: "warn" },
    text:
      usdAvailable <= 0
        ? " has no credit left."
        : ` has ${usd(usdAvailable)} left, which lasts for ${days < 1 ? "less than a day" : counted(Math.floor(days), "more day")} at its pace.`,
  }));

/** The last audit, if it found a difference, is long ago, or there was none. */
function audit({ audit: last, at }: Overview): Item[] {
  const item = (text: string, tone: Item["tone"]): Item[] => [
    { name: "The books", href: "/console/books", text, tone },
  ];
  if (!last) return item(" were never audited.", "warn");
  if (last.differences > 0)
    return item(` had ${counted(last.differences, "difference")} ${ago(last.at)}.`, "bad");
  const days = (Date.parse(at) - Date.parse(last.at)) / DAY;
  return days > AUDIT_DAYS ? item(` were last audited ${ago(last.at)}.`, "warn") : [];
}

const reloads = (list: readonly Reload[]): Item[] =>
  list
    .filter(({ isApplied, findings }) => !isApplied || findings.length > 0)
    .map(({ at, isApplied, findings }) => ({
      ...{ name: "The configuration", href: "/console/config?tab=reloads" },
      text: isApplied
        ? ` was read ${ago(at)} with ${counted(findings.length, "finding")}.`
        : ` was refused ${ago(at)}: ${findings[0] ?? "see there"}`,
      tone: isApplied ? "warn" : "bad",
    }));

/** All that an operator should look at, what is bad first. */
export function toLookAt(overview: Overview, state: Circuits, reloaded: readonly Reload[]): Item[] {
  const items = [
    ...circuits(state),
    ...failing(overview),
    ...reloads(reloaded),
    ...audit(overview),
    ...accounts(overview),
    ...unfinished(overview.orphans, "job", "may still run at a provider"),
    ...unfinished(overview.stale, "request", "began more than an hour ago and did not end"),
    ...unpriced(overview),
  ];
  return items.toSorted((a, b) => Number(b.tone === "bad") - Number(a.tone === "bad"));
}

/** What a process is called: the id on its host. */
export function processName(owner: string): string {
  const [host = owner, id] = owner.split("/");
  return id === undefined ? host : `${id} on ${host}`;
}

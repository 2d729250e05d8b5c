import { computed } from "@preact/signals";
import { session } from "./session.ts";
import { stored } from "./stored.ts";

/** A choice of requests that a reader has named: its filters, sorting and range as an address has them. */
export interface View {
  name: string;
  query: string;
}

/** Accounts that share a browser do not see each other's. */
interface StoredView extends View {
  /** An account, or nothing for an operator without one. */
  owner: string;
}

const isView = (value: unknown): value is StoredView =>
  typeof value === "object" &&
  value !== null &&
  ["name", "query", "owner"].every(
    (member) => typeof (value as Record<string, unknown>)[member] === "string",
  );

/** The most views that an account has in one browser, and the most letters of a name. */
export const MOST_VIEWS = 30;
export const LONGEST_NAME = 40;

const all = stored<readonly StoredView[]>("manifold-views", (value) =>
  Array.isArray(value) ? value.filter(isView) : [],
);

const ownerNow = (): string => session.value?.accountId ?? "";

export const views = computed<readonly View[]>(() => all.value.filter(({ owner }) => owner === ownerNow()));

/** Keeps a view, in the place of one of the same name. */
export function keepView(view: View): void {
  removeView(view.name);
  const next = [...all.value, { ...view, owner: ownerNow() }];
  all.value = next.sort((a, b) => a.name.localeCompare(b.name));
}

export function removeView(name: string): void {
  all.value = all.value.filter((one) => one.name !== name || one.owner !== ownerNow());
}

/** The address of a view. */
export const addressOfView = ({ query }: View): string => `/console/requests${query && `?${query}`}`;

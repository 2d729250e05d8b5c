import type { Loss } from "@manifold/core";
import type { Exchange } from "../http/exchange.ts";
import { quote, Refusal } from "../http/refusal.ts";

const policies = ["strict", "warn", "allow"] as const;
/** `strict`: what would lose anything is refused. `warn`: it is told. `allow`: it is only recorded. */
export type LossPolicy = (typeof policies)[number];

/** What a caller wants done beside its request. */
export interface Wishes {
  losses: LossPolicy;
  /** Tell what would happen, and do nothing. */
  explain: boolean;
}

/** The wishes in the headers of a request; a 400 for values that none has. */
export function readWishes(exchange: Exchange): Wishes {
  const losses = exchange.header("x-loss-policy");
  const explain = exchange.header("x-explain");
  if (losses !== undefined && !policies.includes(losses as LossPolicy))
    throw bad("x-loss-policy", losses, policies);
  if (explain !== undefined && explain !== "true" && explain !== "false")
    throw bad("x-explain", explain, ["true", "false"]);
  return { losses: (losses as LossPolicy | undefined) ?? "warn", explain: explain === "true" };
}

const bad = (name: string, value: string, allowed: readonly string[]): Refusal =>
  new Refusal(400, `${name}: ${quote(value)} is not allowed; it must be one of ${allowed.join(", ")}.`, {
    param: name,
  });

/** How long the header may be, in characters. Longer lists are cut; the record has them all. */
const LONGEST = 1_024;

/** Losses in one header: where, why, and `reply` where it is not the request. */
export function writeLosses(request: readonly Loss[], reply: readonly Loss[]): string {
  if (request.length + reply.length === 0) return "";
  const list = [
    ...request.map((loss) => `${encodeURI(loss.path)};${loss.why}`),
    ...reply.map((loss) => `${encodeURI(loss.path)};${loss.why};reply`),
  ];
  const text = list.join(", ");
  if (text.length <= LONGEST) return text;
  return `${text.slice(0, text.lastIndexOf(",", LONGEST - 24))}, …${list.length}`;
}

/** The texts of a refusal that lists losses. */
export const sayLosses = (losses: readonly Loss[], model: string): string[] =>
  losses.map(({ path, why, detail }) => {
    const field = path === "" ? "body" : path.slice(1).replaceAll("/", ".");
    const what = why === "unsupported" ? "would be lost" : "would not arrive as it was said";
    return `${field}: ${what} with the model ${quote(model)}${detail ? ` (${detail})` : ""}.`;
  });

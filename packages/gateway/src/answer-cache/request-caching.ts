import { CallerRequest, Rejection } from "@manifold-gateway/core/plan";
import type { WholeReply } from "@manifold-gateway/core/reply";
import { forwardedHeaders } from "@manifold-gateway/providers";
import type { Answers, CacheKey, CacheRule, KeptAnswer } from "../ports/answer-cache.ts";
import type { Context } from "../ports/context.ts";
import type { StreamStyle } from "../text/caller-stream.ts";
import { routerMembers } from "../text/plan.ts";
import type { ReceivedText } from "../text/plan-text.ts";
import { cacheKey } from "./cache-key.ts";
import { cacheRuleOf } from "./rule.ts";
import { LONGEST_ANSWER } from "./stream-copy.ts";

/** The part of an answer that its caller sees. */
type Shown = Pick<KeptAnswer, "headers" | "body" | "encoding">;

/** The cache as one request uses it: its answer may come from there, or is stored there. */
export class RequestCaching {
  readonly #context: Context<"now">;
  readonly #answers: Answers;
  readonly #rule: CacheRule;
  readonly #key: CacheKey;

  constructor(context: Context<"now">, answers: Answers, rule: CacheRule, key: CacheKey) {
    this.#context = context;
    this.#answers = answers;
    this.#rule = rule;
    this.#key = key;
  }

  /** The price of a cached answer as a share of the first answer's cost. */
  get share(): number {
    return this.#answers.share;
  }

  /** The cached answer, if there is one that is young enough for the request's rule. */
  async find(): Promise<KeptAnswer | undefined> {
    const kept = await this.#answers.cache.get(this.#key);
    const oldest = this.#context.services.now() - this.#rule.seconds * 1000;
    return kept && kept.at > oldest ? kept : undefined;
  }

  /** Stores a unary answer, after its generation was settled. */
  keepWhole({ body }: Pick<WholeReply, "body">, trace: ReceivedText["trace"]): void {
    // Latin-1 keeps every byte of a relayed body.
    if (body instanceof Uint8Array)
      this.keep({ headers: {}, body: Buffer.from(body).toString("latin1"), encoding: "latin1" }, trace);
    else
      this.keep(
        { headers: {}, body: typeof body === "string" ? body : JSON.stringify(body), encoding: "utf8" },
        trace,
      );
  }

  /** Stores an answer, after its generation was settled. */
  keep({ headers, body, encoding }: Shown, { generation, cost }: ReceivedText["trace"]): void {
    // The cost becomes a price, which is stored for a million requests: it has to be an exact integer.
    if (generation === undefined || cost === undefined || !Number.isSafeInteger(cost * 1_000_000)) return;
    if (body.length > LONGEST_ANSWER) return;
    const at = this.#context.services.now();
    const until = at + this.#rule.seconds * 1000;
    this.#answers.cache.put(this.#key, { at, until, generation, cost, headers, body, encoding });
  }
}

/** The caching of a request; undefined if its answer is neither stored nor searched for. The trace says why. */
export function cachingOf(
  context: Context<"answers" | "catalog" | "now">,
  { ask, trace, metered }: ReceivedText,
  { framing }: StreamStyle,
): RequestCaching | undefined {
  const { services, caller, options } = context;
  const model = services.catalog.get(ask.model);
  const rule = cacheRuleOf(context, model);
  if (!rule || !services.answers || !model) return undefined;
  if (!rule.any && (metered.ids.length > 0 || metered.tools.length > 0 || metered.detached.length > 0)) {
    trace.cache = "skip; reason=state";
    return undefined;
  }
  if (!rule.any && !isDeterministic(ask)) {
    trace.cache = "skip; reason=sampling";
    return undefined;
  }
  trace.cache = "miss";
  const key = cacheKey({
    account: caller.accountId,
    model,
    name: ask.model,
    protocol: ask.codec.protocol,
    stream: ask.stream,
    form: framing?.contentType ?? "",
    losses: options.losses,
    headers: forwardedHeaders((name) => context.exchange.header(name)),
    body: ask.body.value,
  });
  return new RequestCaching(context, services.answers, rule, key);
}

/** Checks whether a repeated request would get the same answer, as far as the request itself decides that. */
function isDeterministic(ask: ReceivedText["ask"]): boolean {
  const decoded = new CallerRequest(ask, routerMembers).whole();
  if (decoded instanceof Rejection) return false;
  const { temperature, seed } = decoded.request.params;
  return temperature === 0 || seed !== undefined;
}

import { activeModels } from "../catalog/model-listing.ts";
import type { RefusalCode } from "../http/codes.ts";
import { quote, Refusal } from "../http/refusal.ts";
import type { Catalog, Model } from "../ports/catalog.ts";
import type { Routing } from "../ports/routing.ts";
import type { Skipped, SkipReason } from "./candidate.ts";
import { type Operation, outputs } from "./operation.ts";

interface Deps {
  catalog: Catalog;
  routing: Pick<Routing, "breakers">;
  now(): number;
}

interface ModelRequest {
  operation: Operation;
  /** The model's name as the caller wrote it. */
  model: string;
  account: string;
}

const refused = (code: RefusalCode, text: string): Refusal =>
  new Refusal(code, `model: ${text}`, { param: "model" });

const LIST = "GET /api/v1/ai/models";

export const unknownModel = (name: string): Refusal =>
  refused("model_not_found", `${quote(name)} is not a model of this service; ${LIST} lists them.`);

/** The refusal of a request for an output that its model does not have; it names a model that has it. */
export function notCapable(
  { catalog }: Pick<Deps, "catalog">,
  name: string,
  { outputModalities }: Model,
  operation: Operation,
): Refusal {
  const { word, modality } = outputs[operation];
  const [other] = activeModels(catalog, (model) => model.outputModalities.includes(modality));
  const instead = other ? `${quote(other.id)} does; ` : "";
  return refused(
    "model_not_capable",
    `${quote(name)} does not generate ${word}; it generates ${outputModalities.join(", ")}. ${instead}${LIST}?outputModalities=${modality} lists those that do.`,
  );
}

export const unpriced = (name: string, entries = ""): Refusal =>
  refused("model_unpriced", `no price is configured for ${quote(name)}${entries}.`);

/** The refusal of a request whose entries are failing, or are being probed by another request. */
export function failing(
  { routing: { breakers: health }, now }: Omit<Deps, "catalog">,
  { model, account }: Omit<ModelRequest, "operation">,
  open: readonly { id: string }[],
): Refusal {
  const until = Math.min(...open.map(({ id }) => health.of(id, account)?.until ?? now()));
  const seconds = Math.max(1, Math.ceil((until - now()) / 1000));
  const text = `The providers of ${quote(model)} are failing. Try again in ${seconds} s.`;
  return new Refusal("provider_unavailable", text, { headers: { "retry-after": String(seconds) } });
}

/** Reasons that come from the caller's `provider` options. */
const preferred: readonly SkipReason[] = ["not_chosen", "ignored", "no_fallback", "too_expensive"];

/** The refusal of a request that no entry can serve; it lists each entry with the reason. */
export function noEligibleEntry(
  deps: Deps,
  ask: ModelRequest,
  model: Model,
  skipped: readonly Skipped[],
): Refusal {
  const quoted = quote(ask.model);
  const { word, modality } = outputs[ask.operation];
  const has = (...reasons: SkipReason[]): boolean => skipped.some(({ why }) => reasons.includes(why));
  const open = skipped.filter(({ why }) => why === "circuit_open");
  if (open.length > 0) return failing(deps, ask, open);
  if (has(...preferred)) {
    const text = `provider: no remaining provider serves ${quoted}${listed(skipped, "provider")}.`;
    return new Refusal("no_provider", text, { param: "provider" });
  }
  const entries = listed(skipped, "id");
  if (has("not_routed"))
    return refused(
      "model_not_routed",
      `${quoted} is served by no provider that this endpoint supports${entries}.`,
    );
  if (has("unpriced") && !model.outputModalities.includes(modality))
    return notCapable(deps, ask.model, model, ask.operation);
  if (has("unpriced")) return unpriced(ask.model, entries);
  if (!model.isActive)
    return refused("model_inactive", `${quoted} is not active; ${LIST} lists the models that are.`);
  return refused("model_inactive", `no active provider serves ${quoted} for ${word}${entries}.`);
}

/** Entries with their reasons: by provider if the caller chose among providers, else by id. */
const listed = (skipped: readonly Skipped[], by: "id" | "provider"): string =>
  skipped.length === 0 ? "" : ` (${skipped.map((one) => `${one[by]}: ${one.detail ?? one.why}`).join("; ")})`;

import type { JsonObject } from "@manifold-gateway/core/codec";
import { bytesOf } from "@manifold-gateway/providers";
import { refusalWithoutCredit } from "../generation/require-credit.ts";
import { parseBody, smallBody } from "../http/body.ts";
import { isForm } from "../http/form.ts";
import type { JsonBody } from "../http/json-body.ts";
import { Refusal } from "../http/refusal.ts";
import type { Context } from "../ports/context.ts";
import { parse } from "../request/read-target.ts";
import type { RunningRequest } from "../request/running-request.ts";
import { bodyTexts, withTexts } from "./body-texts.ts";
import { GuardChecker, guardsOf } from "./checker.ts";

/**
 * Has the texts of a request checked before anything else is done with it, and replaces those that a guard changes, so
 * that no provider, record or log gets the originals. A caller without credit is refused first.
 */
export async function checkRequest(request: RunningRequest & Pick<Context, "caller">): Promise<void> {
  const { input, route, exchange, services } = request;
  const guards = guardsOf(request, "request");
  if (guards.length === 0 || !input.json) return;
  const refusal = await refusalWithoutCredit(request);
  if (refusal) throw refusal;
  // Of an uploaded file only the name is a text of the caller; the other members are measured.
  const { value } = input.json;
  const body = input.upload ? { ...value, file: { name: input.upload.facts.name } } : value;
  const checker = new GuardChecker(request, "request", guards);
  const changed = await checker.check(bodyTexts(body, input.json.protocols));
  if (changed.size === 0) return;
  if (isForm(exchange))
    throw new Refusal(
      "guard_refused",
      "A guard masks a text of the request, which a form cannot be sent without.",
    );
  input.json = rewritten(input.json, changed, route.limits?.text ?? smallBody.text);
  if (route.body) input.body = parse(route.body, input.json.value);
  services.log.info({ request: request.id, texts: changed.size }, "request masked by a guard");
}

/** The body with other texts. Members without a changed text stay the same, byte for byte. */
function rewritten(json: JsonBody, texts: ReadonlyMap<string, string>, most: number): JsonBody {
  const masked = withTexts(json.value, texts, json.protocols);
  const edits: JsonObject = {};
  for (const [name, value] of Object.entries(masked))
    if (JSON.stringify(value) !== JSON.stringify(json.value[name])) edits[name] = value;
  const payload = json.edited(edits);
  const bytes = typeof payload === "string" ? Buffer.from(payload) : Buffer.from(bytesOf(payload));
  return parseBody(bytes, most, json.protocols);
}

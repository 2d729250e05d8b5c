import { noDialect } from "../../codec/no-dialect.ts";
import type { Traits } from "../../codec/traits.ts";
import type { Dialect } from "../../dialect/index.ts";
import { AS_JSON } from "../../family/json-instruction.ts";
import { lacksJsonWord, reportJsonWord } from "../../family/json-word.ts";
import type { TextRequest } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import type { JsonObject } from "../../json/json.ts";
import { encodeMessages } from "./encode-messages.ts";
import { encodeSettings } from "./encode-settings.ts";
import type { Wire } from "./schema.ts";

export function encodeRequest(
  request: TextRequest,
  lose: Lose,
  traits: Traits = {},
  dialect: Dialect = noDialect,
): Wire {
  // The server looks for the word in the items only, so the system text that has it is one of them.
  const isNamed = !lacksJsonWord(request, request.messages.slice(1));
  const { instructions, input } = encodeMessages(request.messages, { lose, traits }, !isNamed);
  if (lacksJsonWord(request, request.messages)) {
    reportJsonWord(lose);
    input.unshift({ type: "message", role: "system", content: AS_JSON });
  }
  const wire: JsonObject = {
    model: request.model,
    ...(instructions !== undefined && { instructions }),
    input: input.length > 0 || request.messages.length === 0 ? input : [SILENCE],
    ...(request.stream && { stream: true }),
    ...encodeSettings(request, { lose, traits, dialect }),
  };
  return wire as Wire;
}

/** The placeholder for an empty conversation: the vendor refuses an empty list. */
const SILENCE: JsonObject = { type: "message", role: "user", content: "" };

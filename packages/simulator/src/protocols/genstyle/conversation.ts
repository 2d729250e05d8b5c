import type { Rule } from "../../check/rule.ts";
import { unseal } from "../../content/digest.ts";
import type { Call } from "../protocol.ts";
import type { Body, Content, WirePart } from "./schema.ts";

/** Signatures a client may send when the real one is lost. */
const SENTINELS = ["skip_thought_signature_validator", "context_engineering_is_the_way_to_go"];

/** Checks whether a model is of the generation that thinks by budgets: it knows no levels. */
export const thinksByBudget = (model: string): boolean => /gemini-[12]\.|gen[12](?!\d)|-old/.test(model);

/** Checks whether a model seals its calls and wants the seals back: all but old ones do. */
export const sealsCalls = (model: string): boolean => !thinksByBudget(model);

const partsOf = (content: Content | undefined): WirePart[] => content?.parts ?? [];
const callsOf = (content: Content | undefined): WirePart[] =>
  partsOf(content).filter((part) => part.functionCall);
const responsesOf = (content: Content | undefined): WirePart[] =>
  partsOf(content).filter((part) => part.functionResponse);

function misplaced({ contents }: Body): string | undefined {
  for (const [index, content] of contents.entries()) {
    const calls = callsOf(content);
    const responses = responsesOf(content);
    if (calls.length > 0 && content.role !== "model")
      return "Please ensure that function call parts come in a turn of role 'model'.";
    if (responses.length > 0 && content.role === "model")
      return "Please ensure that function response parts do not come in a turn of role 'model'.";
    const before = contents[index - 1];
    if (calls.length > 0 && (!before || before.role === "model"))
      return "Please ensure that function call turn comes immediately after a user turn or after a function response turn.";
    if (responses.length > 0 && callsOf(before).length === 0)
      return "Please ensure that function response turn comes immediately after a function call turn.";
    const next = contents[index + 1];
    if (calls.length > 0 && next && responsesOf(next).length !== calls.length)
      return "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";
    const calledNames = callsOf(before).map((part) => part.functionCall!.name);
    const stranger = responses.find((part) => !calledNames.includes(part.functionResponse!.name));
    if (stranger && !stranger.functionResponse!.name)
      return `* GenerateContentRequest.contents[${index}].parts[0].function_response.name: Name cannot be empty.`;
    if (stranger)
      return `Please ensure that function response names match the function calls before them: '${stranger.functionResponse!.name}' was not called.`;
  }
  return undefined;
}

const hasValidSeal = ({ functionCall, thoughtSignature }: WirePart): boolean => {
  if (thoughtSignature === undefined || SENTINELS.includes(thoughtSignature)) return true;
  const sealed = unseal("genstyle", thoughtSignature);
  return sealed !== undefined && (!functionCall || sealed === functionCall.name);
};

/** The first call of every step since the user last spoke must bring back its signature. */
function unsealed({ contents, model = "" }: Body): string | undefined {
  if (!sealsCalls(model)) return undefined;
  const spoke = contents.findLastIndex(
    (content) =>
      content.role !== "model" &&
      partsOf(content).some((part) => !part.functionResponse) &&
      responsesOf(content).length === 0,
  );
  for (const [index, content] of contents.entries()) {
    const [first] = callsOf(content);
    if (index > spoke && first && !first.thoughtSignature)
      return `Function call is missing a thought_signature in functionCall parts. This is required for tools to job correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${first.functionCall!.name}\`, position ${index + 1}.`;
    if (partsOf(content).some((part) => !hasValidSeal(part))) return "Thought signature is not valid.";
  }
  return undefined;
}

export const conversationRules: Rule<Body, Call>[] = [
  { broken: misplaced, message: "" },
  { broken: unsealed, message: "" },
];

import type { Context } from "../../family/content.ts";
import { holdsMedia } from "../../family/result-media.ts";
import { extraFor } from "../../ir/extra.ts";
import type { ResultPart, TextPart, UserPart } from "../../ir/index.ts";
import { type Json, type JsonObject, parseJson, textOf } from "../../json/json.ts";
import { encodePart, shorten } from "./encode-parts.ts";
import { runOutputs } from "./items.ts";
import { protocol } from "./parts.ts";

/** A result as an item. `runs` names the calls that client-run items stand for; `moved` takes what has to follow. */
export function encodeResult(
  part: ResultPart,
  path: string,
  context: Context,
  runs: ReadonlyMap<string, string>,
  moved: UserPart[],
): JsonObject[] {
  const { lose } = context;
  const fields = extraFor(protocol, part.extra, lose, path);
  // A result that was added for a client-run call must be of the same kind.
  const type = textOf(fields.type) ?? runs.get(part.id);
  if (part.cache) lose(`${path}/cache`, "unsupported");
  const marked = part.failed === true && fields.status !== "failed";
  if (marked) lose(path, "approximated", "the failure is written in the text only");
  const parts = marked ? withFailureText(part.parts) : part.parts;
  if (type !== undefined && runOutputs.has(type)) {
    return [runOutput(type, part, textIn(parts, path, context), fields)];
  }
  const content = parts.flatMap<JsonObject>((inner, k) => {
    if (inner.type === "media" && !holdsMedia(inner, context.traits)) {
      lose(`${path}/parts/${k}`, "approximated", "moved behind the result");
      moved.push(inner);
      return [];
    }
    return encodePart(inner, `${path}/parts/${k}`, context, "user") ?? [];
  });
  return [
    {
      ...fields,
      type: part.freeform ? "custom_tool_call_output" : "function_call_output",
      call_id: part.id,
      output: shorten(content),
    },
  ];
}

/** The parts with a text that the tool failed, unless they have it already: the wire has no flag for it. */
function withFailureText(parts: ResultPart["parts"]): ResultPart["parts"] {
  const at = parts.findIndex((part) => part.type === "text");
  const first = parts[at];
  if (first?.type !== "text") return [{ type: "text", text: "Error" }, ...parts];
  if (/error|fail/i.test(first.text)) return parts;
  return parts.map((part, i): TextPart | ResultPart["parts"][number] =>
    i === at ? { ...first, text: `Error: ${first.text}` } : part,
  );
}

function textIn(parts: ResultPart["parts"], path: string, { lose }: Context): string {
  return parts
    .flatMap((part, k) => {
      if (part.type === "text") return [part.text];
      lose(`${path}/parts/${k}`, "unsupported", "results of this tool are text");
      return [];
    })
    .join("");
}

function runOutput(type: string, { id }: ResultPart, text: string, fields: JsonObject): JsonObject {
  const old = type === "local_shell_call_output" && fields.id === undefined;
  const output = type === "shell_call_output" ? shellOutput(text, fields.type === type) : text;
  return { ...fields, type, ...(old ? { id } : { call_id: id }), output };
}

/** Shell results are lists of what each command wrote; the text of another result is what one command wrote. */
function shellOutput(text: string, isShellResult: boolean): Json {
  const value = parseJson(text);
  if (Array.isArray(value)) return value;
  if (isShellResult) return text;
  return [{ stdout: text, stderr: "", outcome: { type: "exit", exit_code: 0 } }];
}

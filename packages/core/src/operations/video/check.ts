import type { Issue, IssueCode } from "../../capability/ask.ts";
import { fieldOf } from "../../capability/say.ts";
import type { ImageRole, VideoAsk, VideoPart } from "./ir.ts";

const FLAG =
  /(?:^|\s)(--(?:resolution|ratio|duration|dur|rs|rt|frames|fps|seed|camerafixed|cf|watermark|wm))(?![\w-])/i;

/**
 * The first command in a prompt that some video models obey as if it were a parameter. Such a command would get round
 * the checks of its parameter, and the price that was held for it.
 */
export const promptFlag = (text: string): string | undefined => FLAG.exec(text)?.[1];

/**
 * The rules that hold for every video model, whatever its capabilities: what may stand beside what. Commands in
 * prompts are refused for all, because which models obey them is not told.
 */
export function checkVideo(ask: VideoAsk): Issue[] {
  const issues: Issue[] = [];
  const add = (path: string, code: IssueCode, said: string, allowed: string): void => {
    const message = `${fieldOf(path)}: ${said}: ${allowed} (model ${JSON.stringify(ask.model)})`;
    issues.push({ path, code, effect: "refuse", model: ask.model, allowed, message });
  };
  const { parts } = ask;
  const first = (is: (part: VideoPart) => boolean): VideoPart | undefined => parts.find(is);
  const inRole = (role: ImageRole): VideoPart[] =>
    parts.filter((part) => part.type === "image" && part.role === role);

  if (ask.maxTokens !== undefined)
    add("/maxTokens", "unsupported_parameter", "is not taken by video models", "leave it out");

  const audio = first(({ type }) => type === "audio");
  if (audio && !first(({ type }) => type === "image" || type === "video"))
    add(audio.at, "missing_companion", "audio cannot be sent alone", "add at least one image or video");

  const [starts, ends] = [inRole("firstFrame"), inRole("lastFrame")];
  for (const [, second] of [starts, ends])
    if (second?.type === "image")
      add(second.at, "too_many_inputs", "is the second of its role", `one image may be the ${second.role}`);
  if (ends[0] && starts.length === 0)
    add(
      ends[0].at,
      "missing_companion",
      "a lastFrame cannot be alone",
      "add an image with the role firstFrame",
    );

  const frame = starts[0] ?? ends[0];
  const reference = first(
    (part) => part.type !== "text" && !(part.type === "image" && part.role !== "referenceImage"),
  );
  if (frame && reference)
    add(
      reference.at,
      "conflict",
      `is a reference, and ${fieldOf(frame.at)} is a frame`,
      "give frames or references, not both; an image without a role is a reference",
    );

  for (const part of parts) {
    const flag = part.type === "text" ? promptFlag(part.text) : undefined;
    if (flag) add(part.at, "conflict", `the prompt must not hold ${flag}`, "send the parameter instead");
  }
  return issues;
}

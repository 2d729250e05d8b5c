import type { Issue, IssueCode } from "../../capability/ask.ts";
import { check } from "../../capability/check.ts";
import { toIssue } from "../../capability/issue.ts";
import { fieldOf } from "../../capability/message-text.ts";
import type { Capabilities } from "../../capability/schema.ts";
import type { ParamNames } from "../ask-params.ts";
import type { ImageRole, VideoAsk, VideoPart } from "./ir.ts";
import { wantsOfVideo } from "./needs.ts";

const FLAG =
  /(?:^|\s)(--(?:resolution|ratio|duration|dur|rs|rt|frames|fps|seed|camerafixed|cf|watermark|wm))(?![\w-])/i;

/**
 * The first command in a prompt that some video models obey as if it were a parameter. Such a command would get round
 * the checks of its parameter, and the price that was held for it.
 */
export const promptFlag = (text: string): string | undefined => FLAG.exec(text)?.[1];

/** Compares an ask with what its model takes, and with what holds for every video model. */
export function checkVideo(
  capabilities: Capabilities | undefined,
  ask: VideoAsk,
  names?: ParamNames,
): Issue[] {
  const wants = wantsOfVideo(ask, names);
  const issues = check(capabilities, wants);
  for (const finding of findConflicts(ask)) {
    const issue = toIssue(wants, finding);
    if (!issues.some(({ path, code }) => path === issue.path && code === issue.code)) issues.push(issue);
  }
  return issues;
}

type Finding = { path: string; code: IssueCode; problem: string; allowed: string; name?: string };

/**
 * Finds members that exclude each other, whatever the model. Commands in prompts are refused for all,
 * because it is not documented which models obey them.
 */
function* findConflicts({ parts, maxTokens }: VideoAsk): Generator<Finding> {
  const first = (is: (part: VideoPart) => boolean): VideoPart | undefined => parts.find(is);
  const inRole = (role: ImageRole): (VideoPart & { type: "image" })[] =>
    parts.filter((part) => part.type === "image").filter((part) => part.role === role);

  if (maxTokens !== undefined)
    yield {
      path: "/maxTokens",
      name: "maxTokens",
      code: "unsupported_parameter",
      problem: "the parameter is not supported by video models",
      allowed: "requests without it",
    };

  const audio = first(({ type }) => type === "audio");
  if (audio && !first(({ type }) => type === "image" || type === "video"))
    yield {
      path: audio.at,
      code: "missing_companion",
      problem: "audio cannot be the only input",
      allowed: "it beside at least one image or video",
    };

  const [starts, ends] = [inRole("firstFrame"), inRole("lastFrame")];
  for (const [, second] of [starts, ends])
    if (second)
      yield {
        path: second.at,
        code: "too_many_inputs",
        problem: `is the second image with the role '${second.role}'`,
        allowed: "one",
      };
  if (ends[0] && starts.length === 0)
    yield {
      path: ends[0].at,
      code: "missing_companion",
      problem: "a last frame needs a first frame",
      allowed: "an image with the role 'lastFrame' beside one with the role 'firstFrame'",
    };

  const frame = starts[0] ?? ends[0];
  const reference = first(
    (part) => part.type !== "text" && !(part.type === "image" && part.role !== "referenceImage"),
  );
  if (frame && reference)
    yield {
      path: reference.at,
      code: "conflict",
      problem: `is a reference, and ${fieldOf(frame.at)} is a frame`,
      allowed: "frames (set role 'firstFrame' or 'lastFrame') or references, not both",
    };

  for (const part of parts) {
    const flag = part.type === "text" ? promptFlag(part.text) : undefined;
    if (flag)
      yield {
        path: part.at,
        code: "conflict",
        problem: `the prompt contains the command '${flag}'`,
        allowed: "it as a parameter only",
      };
  }
}

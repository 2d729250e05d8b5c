import type { ImageRole, VideoAsk, VideoPart } from "./ir.ts";

/** One rule that an ask does not meet. The message names the field and the model. */
export interface MediaIssue {
  /** The field in the caller's request: `content.2`. */
  path: string;
  message: string;
}

const FLAG =
  /(?:^|\s)(--(?:resolution|ratio|duration|dur|rs|rt|frames|fps|seed|camerafixed|cf|watermark|wm))(?![\w-])/i;

/**
 * The first command in a prompt that some video models obey as if it were a parameter. Such a command would get round
 * the checks of its parameter, and the price that was held for it.
 */
export const promptFlag = (text: string): string | undefined => FLAG.exec(text)?.[1];

/**
 * The rules that hold for every video model: what may stand beside what. `obeysFlags`: the model reads commands out
 * of its prompt, which are refused.
 */
export function checkVideo(
  ask: VideoAsk,
  { obeysFlags = false }: { obeysFlags?: boolean } = {},
): MediaIssue[] {
  const issues: MediaIssue[] = [];
  const add = (path: string, text: string): void =>
    void issues.push({ path, message: `${path}: ${text} (model ${JSON.stringify(ask.model)})` });
  const { parts } = ask;
  const first = (is: (part: VideoPart) => boolean): VideoPart | undefined => parts.find(is);
  const inRole = (role: ImageRole): VideoPart[] =>
    parts.filter((part) => part.type === "image" && part.role === role);

  if (ask.maxTokens !== undefined) add("maxTokens", "is not supported by video models: leave it out");

  const audio = first(({ type }) => type === "audio");
  if (audio && !first(({ type }) => type === "image" || type === "video"))
    add(audio.at, "audio cannot be sent alone: add at least one image or video");

  const [starts, ends] = [inRole("firstFrame"), inRole("lastFrame")];
  for (const [role, [, second]] of [
    ["firstFrame", starts],
    ["lastFrame", ends],
  ] as const)
    if (second) add(second.at, `only one image may have the role ${role}`);
  if (ends[0] && starts.length === 0) add(ends[0].at, "a lastFrame needs a firstFrame beside it");

  const frame = starts[0] ?? ends[0];
  const reference = first(
    (part) => part.type !== "text" && !(part.type === "image" && part.role !== "referenceImage"),
  );
  if (frame && reference)
    add(
      reference.at,
      `references cannot be mixed with the frame at ${frame.at}: set the role firstFrame or lastFrame, or drop the frames`,
    );

  for (const part of obeysFlags ? parts : []) {
    const flag = part.type === "text" ? promptFlag(part.text) : undefined;
    if (flag) add(part.at, `the prompt must not hold ${flag}: send the parameter instead`);
  }
  return issues;
}

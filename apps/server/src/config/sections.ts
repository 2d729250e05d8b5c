import type { Settings } from "./load.ts";
import type { Problem } from "./problem.ts";
import { webhookNames } from "./webhooks.ts";

/** A configuration in the form of its file. */
export type Document = Readonly<Record<string, object | undefined>>;

/** A member of a section, in the form of the file. */
export interface Member {
  section: string;
  name: string;
  value: object;
}

/** The section that is a list, whose members have their names in them. */
const LIST = "webhooks";

/** The members of a section, in the form of the file, with their names. */
export function writtenMembers(
  { document, config }: Pick<Settings, "document" | "config">,
  section: string,
): [name: string, value: object][] {
  const written = (document as Document | undefined)?.[section];
  if (!Array.isArray(written)) return Object.entries(written ?? {});
  const names = webhookNames(config.webhooks);
  return written.map((value, at) => [names[at] ?? String(at), value]);
}

/** A document with further members. */
export function withMembers(document: Document, members: readonly Member[]): Document {
  const whole: Record<string, object | undefined> = { ...document };
  for (const { section, name, value } of members)
    whole[section] =
      section === LIST
        ? [...((whole[section] ?? []) as object[]), { ...value, name }]
        : { ...whole[section], [name]: value };
  return whole;
}

/** A problem of a document of `withMembers`, in whose path the index of an added member is replaced by its name. */
export function namingMembers(
  { path, line }: Problem,
  document: Document,
  members: readonly Member[],
): Problem {
  const [section, index, ...rest] = path;
  if (section !== LIST || typeof index !== "number") return { path, line };
  const ofFile = ((document[section] ?? []) as object[]).length;
  const member = members.filter((one) => one.section === section)[index - ofFile];
  if (!member) return { path, line };
  const named = [section, member.name, ...rest];
  return { path: named, line: line.replace(path.join("."), () => named.join(".")) };
}

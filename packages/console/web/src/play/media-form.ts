import { type Attached, type Mode, REFERENCE, toContent } from "./media.ts";
import { type Filled, type Param, toBody } from "./schema-form.ts";

/** What is filled in for an order, apart from its model. */
export interface MediaForm {
  text: string;
  filled: Filled;
  attached: readonly Attached[];
  voice: string;
  /** Members of a request that was opened which the form has no field for. */
  rest: Readonly<Record<string, unknown>>;
}

interface Target {
  mode: Mode;
  model: string;
  fields: readonly Param[];
}

/** The body of an order. */
export function bodyOfForm({ mode, model, fields }: Target, form: MediaForm): Record<string, unknown> {
  const { text, attached, filled, voice, rest } = form;
  const named =
    mode !== "speech"
      ? { model, content: toContent(text, attached) }
      : model === REFERENCE
        ? { model, textPrompt: text }
        : { voiceType: voice, text };
  return { ...rest, ...named, ...toBody(fields, filled) };
}

/** The form of a body that was sent; an order of it has the same members. */
export function formOfBody(
  { fields }: Pick<Target, "fields">,
  body: Readonly<Record<string, unknown>>,
): MediaForm {
  const { model: _, content, text, textPrompt, voiceType, input, ...others } = body;
  const filled: Record<string, string> = {};
  const rest: Record<string, unknown> = { ...others };
  for (const { name, kind } of fields) {
    const value = name
      .split(".")
      .reduce<unknown>(
        (at, key) =>
          typeof at === "object" && at !== null ? (at as Record<string, unknown>)[key] : undefined,
        others,
      );
    if (kind === "refused" || value === undefined || typeof value === "object") continue;
    filled[name] = String(value);
    delete rest[name.split(".")[0] as string];
  }
  const parts = (Array.isArray(content) ? content : []) as Part[];
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text ?? ""] : []));
  return {
    text: String(textPrompt ?? text ?? input ?? texts.join("\n")),
    filled,
    attached: parts.flatMap(toAttached),
    voice: String(voiceType ?? ""),
    rest,
  };
}

interface Part {
  type: string;
  text?: string;
  url?: string;
  data?: string;
  mediaType?: string;
  assetId?: string;
  role?: string;
}

const KINDS = ["image", "video", "audio"] as const;

function toAttached({ type, url, data, mediaType, assetId, role }: Part): Attached[] {
  const kind = KINDS.find((one) => type.toLowerCase().includes(one));
  if (!kind || type === "text") return [];
  const shared = { kind, ...(role !== undefined && { role }) };
  if (assetId !== undefined) return [{ ...shared, name: assetId, facts: "an asset", assetId, part: type }];
  if (url !== undefined) return [{ ...shared, name: url, facts: "by its address", url }];
  return [
    {
      ...shared,
      name: `the ${kind} of the request`,
      facts: mediaType ?? "",
      ...(data !== undefined && { data }),
      ...(mediaType !== undefined && { mediaType }),
    },
  ];
}

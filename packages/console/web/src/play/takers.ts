import type { Answer } from "../api/client.ts";

type Model = Answer<"/api/v1/ai/models">[number];

/** The operations whose capabilities the list of models has. */
export type AreaName =
  | "text"
  | "image"
  | "video"
  | "speech"
  | "embed"
  | "transcription"
  | "rerank"
  | "moderation";

/** What of the capabilities of a model says which parameters it takes. */
interface Area {
  supportedParameters?: readonly string[];
  params?: Readonly<Record<string, unknown>>;
  unsupported?: Readonly<Record<string, unknown>>;
  rules?: readonly { type: string; field?: string }[];
}
export type Listed = Area & { [name in AreaName]?: Area };

/** Checks whether a model takes a parameter, as the service does, whose check would load its schemas into the page. */
export function takes(capabilities: Listed, operation: AreaName, name: string): boolean {
  const { supportedParameters, unsupported = {}, ...area } = capabilities[operation] ?? {};
  if (Object.hasOwn(unsupported, name)) return false;
  const { params = area.params } = capabilities;
  // Models of media list every parameter, those of text only what bounds some.
  if (supportedParameters === undefined && (operation === "text" || params === undefined)) return true;
  const sizes = [...(capabilities.rules ?? []), ...(area.rules ?? [])].flatMap(({ type, field }) =>
    type === "size" && field !== undefined ? [field] : [],
  );
  const listed = [capabilities.params ?? {}, area.params ?? {}].flatMap(Object.keys);
  const all = [...listed, ...(supportedParameters ?? []), ...sizes];
  return all.some((one) => name === one || name.startsWith(`${one}.`));
}

/** The first other model that takes a parameter. */
export const takerOf = (
  models: readonly Model[],
  { area, name, besides }: { area: AreaName; name: string; besides: readonly string[] },
): string | undefined =>
  models.find(
    ({ modelId, capabilities = {} }) =>
      !besides.includes(modelId) && takes(capabilities as Listed, area, name),
  )?.modelId;

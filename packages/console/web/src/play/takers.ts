import type { Answer } from "../api/client.ts";

type Model = Answer<"/api/v1/ai/models">[number];

/** What of the listed capabilities of a model says which parameters it takes. */
interface Area {
  supportedParameters?: readonly string[];
  params?: Readonly<Record<string, unknown>>;
  unsupported?: Readonly<Record<string, unknown>>;
}

/** Checks whether a model takes a parameter, by what the list of models says; the service checks requests itself. */
function takes({ capabilities = {} }: Model, area: string, name: string): boolean {
  const {
    supportedParameters,
    params = {},
    unsupported = {},
  } = (capabilities as Record<string, Area>)[area] ?? {};
  if (Object.hasOwn(unsupported, name)) return false;
  // Models of media list every parameter, those of text only what bounds some.
  const isClosed = supportedParameters !== undefined || (area !== "text" && Object.keys(params).length > 0);
  return !isClosed || Object.hasOwn(params, name) || supportedParameters?.includes(name) === true;
}

/** The first other model that makes the same and takes a parameter. */
export const takerOf = (
  models: readonly Model[],
  { area, name, besides }: { area: string; name: string; besides: readonly string[] },
): string | undefined =>
  models.find((one) => !besides.includes(one.modelId) && takes(one, area, name))?.modelId;

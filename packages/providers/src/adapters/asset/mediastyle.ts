import { compact, type JsonObject, textOf, toObject } from "@manifold-gateway/core/codec";
import type { AssetAsk, AssetResult } from "@manifold-gateway/core/operations";
import { act } from "../action.ts";
import type { Adapter, Line, Progress, Trouble } from "../adapter.ts";

const version = "2024-01-01";

/** The adapter of a provider that keeps assets in groups. */
export interface AssetAdapter extends Adapter<AssetAsk, AssetResult> {
  /** Creates a group of assets; its id is stored, and passed with every request. */
  group(
    line: Line,
    group: { name: string; description?: string },
  ): Promise<{ id: string } | { trouble: Trouble }>;
}

const projectOf = ({ service }: Line): JsonObject =>
  service.signing?.project === undefined ? {} : { ProjectName: service.signing.project };

/** Reads the progress of an asset from the provider's answer. */
export function readAsset(result: JsonObject): Progress<AssetResult> {
  const { Id, Status, Error: error } = result;
  if (Status === "Active") return { state: "succeeded", result: { registered: textOf(Id) ?? "" } };
  // An unknown status counts as running.
  if (Status !== "Failed") return { state: "running" };
  const { Code, Message } = toObject(error);
  return {
    state: "failed",
    trouble: {
      kind: "refused",
      code: textOf(Code) || "provider_rejected",
      message: textOf(Message) || "The provider did not accept the file.",
    },
  };
}

/** Runs an action, and reads the id of the thing that it created. */
async function createResource(
  line: Line,
  name: string,
  body: JsonObject,
): Promise<{ id: string } | { trouble: Trouble }> {
  const outcome = await act(line, { name, version, body: { ...body, ...projectOf(line) }, begins: true });
  if ("trouble" in outcome) return outcome;
  const id = textOf(outcome.result.Id);
  if (id) return { id };
  return { trouble: { kind: "unavailable", message: "The provider did not return an id for the asset." } };
}

/** The media wire's library of assets, where people are registered by signed calls. */
export const mediastyle: AssetAdapter = {
  group: (line, { name, description }) =>
    createResource(
      line,
      "CreateAssetGroup",
      compact<JsonObject>({
        Name: name.slice(0, 64),
        ...(description !== undefined && { Description: description.slice(0, 300) }),
        GroupType: "AIGC",
      }),
    ),
  async submit(line, ask) {
    if (ask.group === undefined) {
      const message = "The provider keeps assets in groups, and there is none for this account.";
      return { state: "failed", trouble: { kind: "misconfigured", message } };
    }
    const { group, url, assetType, name } = ask;
    const body = { GroupId: group, URL: url, AssetType: assetType, ...(name && { Name: name }) };
    const asset = await createResource(line, "CreateAsset", body);
    return "id" in asset ? asset : { state: "failed", ...asset };
  },
  async poll(line, id) {
    const outcome = await act(line, { name: "GetAsset", version, body: { Id: id, ...projectOf(line) } });
    if ("trouble" in outcome) {
      const { kind } = outcome.trouble;
      // A failed poll says nothing about the asset.
      const untold = kind === "unavailable" || kind === "misconfigured";
      return { state: untold ? "running" : "failed", ...outcome };
    }
    return readAsset({ ...outcome.result, Id: id });
  },
};

import { codecs } from "../codecs/codecs.ts";
import { isWireName } from "../codecs/wires.ts";
import { surfaceOfKept } from "../request/again.ts";
import { findDetail } from "../request/detail.ts";
import type { Draft } from "./draft.ts";

/** The draft of a request that was sent; throws where its content was not kept, or is of another kind. */
export async function draftOfKept(id: string): Promise<Draft> {
  const kept = await findDetail(id, "account");
  if (!kept.request)
    throw new Error("The content of this request was not stored, or has been deleted since.");
  const surface = surfaceOfKept(kept);
  if (surface === undefined || !isWireName(surface))
    throw new Error("This request is of a kind that the playground of text does not send.");
  const restored = await codecs("restore", kept.request, surface, { model: kept.model, stream: true });
  if ("fault" in restored) throw new Error(`The request cannot be read again. ${restored.fault}`);
  return restored.draft;
}

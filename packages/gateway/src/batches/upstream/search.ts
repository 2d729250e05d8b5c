import { isObject, type JsonObject } from "@manifold-gateway/core/codec";
import type { BatchDeps } from "../deps.ts";
import { CallRefused, callWire } from "./calls.ts";
import type { UpstreamTarget } from "./terms.ts";
import type { RemoteBatch, RemoteFile, WireCall } from "./wires/index.ts";

type Deps = Pick<BatchDeps, "transport" | "log" | "clock" | "limits">;

/** The most pages of a provider's list that are searched. */
const PAGES = 10;
/** The most by which a provider's clock may be behind ours, in milliseconds. */
const SKEW = 3_600_000;

/** Reads a provider's list page by page. Throws if a page is refused. */
async function* pagesOf<Item extends { id: string }>(
  deps: Deps,
  target: UpstreamTarget,
  { list, read }: { list(after: string | undefined): WireCall; read(value: JsonObject): Item | undefined },
): AsyncGenerator<Item[]> {
  let after: string | undefined;
  for (let page = 0; page < PAGES; page++) {
    const { status, value } = await callWire(deps, target, list(after));
    if (status !== 200 || !Array.isArray(value.data)) throw new CallRefused(status);
    const items = value.data.flatMap((one) => (isObject(one) && read(one)) || []);
    yield items;
    after = items.at(-1)?.id;
    if (value.has_more !== true || after === undefined) return;
  }
}

/** Finds an upstream batch by our id, if the wire carries it. */
export async function searchBatch(
  deps: Deps,
  target: UpstreamTarget,
  id: string,
): Promise<RemoteBatch | undefined> {
  const { list, batchOf } = target.wire;
  if (!list) return undefined;
  for await (const page of pagesOf(deps, target, { list, read: batchOf })) {
    const found = page.find(({ name }) => name === id);
    if (found) return found;
  }
  return undefined;
}

/** Finds the file of a batch's requests, which was uploaded after a time. */
export async function searchFile(
  deps: Deps,
  target: UpstreamTarget,
  { id, createdAt }: { id: string; createdAt: number },
): Promise<RemoteFile | undefined> {
  const { files } = target.wire;
  if (!files) return undefined;
  for await (const page of pagesOf(deps, target, { list: files.list, read: files.fileOf })) {
    const found = page.find(({ name }) => name === files.nameOf(id));
    if (found) return found;
    if (page.some((file) => file.createdAt < createdAt - SKEW)) return undefined;
  }
  return undefined;
}

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso";
import { codecs } from "../codecs/codecs.ts";
import { useParams } from "../state/url.ts";
import { changeDraft, draft, setDraft } from "./desk.ts";
import { type Draft, emptyDraft } from "./draft.ts";
import { putAside } from "./history.ts";
import { keptDraft } from "./kept-draft.ts";
import { draftOfKept } from "./open-request.ts";
import { fromFragment, hasDraft } from "./share.ts";

/**
 * Opens what the address names: a request that was sent, a draft, a model; otherwise the draft that was left. The draft
 * before it is in the history. Returns why it could not be opened.
 */
export function useOpening(modelIds: readonly string[]): string | undefined {
  const [{ request, model }] = useParams();
  const { route } = useLocation();
  const fault = useSignal<string | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    const open = async (): Promise<void> => {
      const before = draft.value ?? (await codecs("readDraft", keptDraft() ?? "")) ?? emptyDraft;
      const next = await namedBy({ request, isFirst: draft.value === undefined }).catch((error: Error) => {
        fault.value = error.message;
        return undefined;
      });
      if (!isCurrent) return;
      if (next) putAside(before);
      if (next || !draft.value) setDraft(next ?? before);
      changeDraft((current) => withKnownModels(current, modelIds, next ? undefined : model));
      // A reload would open the request again, over what was changed since.
      if (request !== undefined || model !== undefined) route(location.pathname, true);
    };
    void open();
    return () => {
      isCurrent = false;
    };
  }, [request, model]);
  return fault.value;
}

/** The draft that the address names: that of a request, or of a link that was just followed. */
async function namedBy(of: { request: string | undefined; isFirst: boolean }): Promise<Draft | undefined> {
  if (of.request !== undefined) return draftOfKept(of.request);
  if (!of.isFirst || !hasDraft(location.hash)) return undefined;
  const linked = await codecs("readDraft", (await fromFragment(location.hash)) ?? "");
  if (!linked) throw new Error("This link holds no draft that can be read: it may have been cut.");
  return linked;
}

/** A draft whose first model is the one that was asked for, and whose models have names. */
function withKnownModels(draft: Draft, modelIds: readonly string[], model: string | undefined): Draft {
  const [first, ...others] = draft.models;
  if (!first) return draft;
  const name = model ?? (first.model || (modelIds[0] ?? ""));
  return { ...draft, models: [{ ...first, model: name }, ...others.filter((one) => one.model !== name)] };
}

import type { TextRequest } from "@manifold-gateway/core";
import type { Message } from "@manifold-gateway/core/ir";
import type { WireName } from "../codecs/wires.ts";

/** A model that a draft is sent to, in one protocol or several: each of them is a pane. */
export interface ComparedModel {
  /** The same while other models come and go. */
  id: number;
  model: string;
  protocols: WireName[];
  /** Bodies that were typed or restored, by protocol; the others are encoded from the draft. */
  bodies: { [name in WireName]?: string };
}

/** What is sent, whichever models and protocols it is sent to. */
export interface Draft {
  /** The canonical request. Its model is that of each pane. */
  request: TextRequest;
  models: ComparedModel[];
  /** What stands for `{{name}}` in texts, by name. */
  values: Record<string, string>;
}

/** One of the requests that a draft becomes. */
export interface PaneOf {
  id: string;
  model: string;
  protocol: WireName;
  /** The body, where it is not that of the draft. */
  body: string | undefined;
}

export const MOST_MODELS = 4;
/** Browsers open six connections to a service over HTTP/1.1, and the page needs one. */
export const MOST_PANES = 5;

export const userSays = (text: string): Message => ({ role: "user", parts: [{ type: "text", text }] });

export const emptyRequest: TextRequest = {
  model: "",
  stream: true,
  messages: [userSays("Say hello in one sentence.")],
  // Without a limit a request holds what the longest answer would cost.
  params: { maxTokens: 2_048 },
};

export const emptyDraft: Draft = {
  request: emptyRequest,
  models: [{ id: 1, model: "", protocols: ["chat", "messages", "generate"], bodies: {} }],
  values: {},
};

const paneId = ({ id }: ComparedModel, protocol: WireName): string => `${id}-${protocol}`;

/** The panes of a draft: each model in each of its protocols. */
export const panesOf = ({ models }: Draft): PaneOf[] =>
  models.flatMap((one) =>
    one.protocols.map((protocol) => ({
      id: paneId(one, protocol),
      model: one.model,
      protocol,
      body: one.bodies[protocol],
    })),
  );

/** A draft with a pane's body replaced, or encoded again where there is none. */
export const withBody = (draft: Draft, pane: string, body: string | undefined): Draft => ({
  ...draft,
  models: draft.models.map((one) => {
    const protocol = one.protocols.find((name) => paneId(one, name) === pane);
    if (protocol === undefined) return one;
    const { [protocol]: _, ...bodies } = one.bodies;
    return { ...one, bodies: body === undefined ? bodies : { ...bodies, [protocol]: body } };
  }),
});

/** A draft with one model more, in the first protocol of the last; none is left where all are compared. */
export function withModel(draft: Draft, modelIds: readonly string[]): Draft {
  const used = draft.models.map(({ model }) => model);
  const model = modelIds.find((one) => !used.includes(one));
  const isFull = draft.models.length >= MOST_MODELS || panesOf(draft).length >= MOST_PANES;
  if (model === undefined || isFull) return draft;
  const id = Math.max(0, ...draft.models.map((one) => one.id)) + 1;
  const protocol = draft.models.at(-1)?.protocols[0] ?? "chat";
  return { ...draft, models: [...draft.models, { id, model, protocols: [protocol], bodies: {} }] };
}

export const withoutModel = (draft: Draft, id: number): Draft => ({
  ...draft,
  models: draft.models.filter((one) => one.id !== id),
});

/** A draft with a model of it changed. */
export const withModelChanged = (draft: Draft, id: number, more: Partial<ComparedModel>): Draft => ({
  ...draft,
  models: draft.models.map((one) => (one.id === id ? { ...one, ...more } : one)),
});

/** The text of the last question, by which a draft is recognised in a list. */
export function titleOf({ request }: Draft): string {
  const texts = request.messages.flatMap(({ role, parts }) =>
    role === "user"
      ? parts.flatMap((part) => (part.type === "text" && part.text.trim() ? [part.text] : []))
      : [],
  );
  return texts.at(-1)?.trim().slice(0, 120) ?? "without a text";
}

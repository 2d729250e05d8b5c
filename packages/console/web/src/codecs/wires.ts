/** A protocol as the playground shows it; its codec is in the worker. */
export interface WireInfo {
  title: string;
  /** Where a request goes. */
  path: (model: string, stream?: boolean) => string;
}

const inPath = (model: string): string => model.split("/").map(encodeURIComponent).join("/");

/** The protocols of text that callers speak, in the order in which pages list them. */
export const WIRES = {
  chat: { title: "Chat", path: () => "/api/chatstyle/v1/chat/completions" },
  messages: { title: "Messages", path: () => "/api/msgstyle/v1/messages" },
  generate: {
    title: "Generate content",
    path: (model, stream = false) =>
      `/api/genstyle/v1beta/models/${inPath(model)}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
  },
  responses: { title: "Responses", path: () => "/api/chatstyle/v1/responses" },
  native: { title: "Native", path: () => "/api/v1/text/completions" },
} as const satisfies Record<string, WireInfo>;

export type WireName = keyof typeof WIRES;

export const WIRE_NAMES = Object.keys(WIRES) as WireName[];
export const isWireName = (name: string): name is WireName => Object.hasOwn(WIRES, name);

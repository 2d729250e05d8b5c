import type { Json } from "../json/json.ts";
import type { Params } from "./params.ts";
import type { AssistantPart, CacheMark, Extra, Protocol, TextPart, UserPart } from "./part.ts";

/** System text, wherever it stands. `developer` keeps the spelling of the two wires that have both roles. */
export interface SystemMessage {
  role: "system";
  parts: TextPart[];
  developer?: true;
  name?: string;
  extra?: Extra;
}
/** A turn of the user, with the results of the user's tools. */
export interface UserMessage {
  role: "user";
  parts: UserPart[];
  name?: string;
  extra?: Extra;
}
/** A turn of the model: the parts of a reply as they stand. */
export interface AssistantMessage {
  role: "assistant";
  parts: AssistantPart[];
  name?: string;
  extra?: Extra;
}
/** One turn of a conversation, or a text of the system. */
export type Message = SystemMessage | UserMessage | AssistantMessage;

/** A function that the model may wish to have called. */
export interface FunctionTool {
  type: "function";
  name: string;
  description?: string;
  /** JSON Schema of the arguments; absent where the tool takes none or is `freeform`. */
  schema?: Json;
  /** Absent: not requested. */
  strict?: boolean;
  /** The tool takes free text instead of JSON; `format` is the grammar for it, if any, flat. */
  freeform?: { format?: Json };
  cache?: CacheMark;
  extra?: Extra;
}
/** A vendor's own server tool: never turned into a function. */
export interface OpaqueTool {
  type: "opaque";
  protocol: Protocol;
  value: Json;
}
/** A tool of the model. A vendor's own server tool stays `opaque`: it is no function. */
export type Tool = FunctionTool | OpaqueTool;

/**
 * The choice of the tools that may be called. `names` narrows to a set; `parallel: false` asks for one call at a
 * time.
 */
export interface ToolChoice {
  mode?: "auto" | "required" | "none";
  names?: string[];
  parallel?: boolean;
}

/** The amounts of thinking, from least to most. */
export const efforts = ["minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type Effort = (typeof efforts)[number];

/** The amount of thinking, and whether to show it. */
export interface ReasoningAsk {
  /** `off`: not at all. `auto`: the model decides. `on`: up to `budget`. */
  mode?: "off" | "auto" | "on";
  effort?: Effort;
  /** Tokens. */
  budget?: number;
  /** `none` hides the text; the others ask for a summary of that kind. */
  show?: "none" | "auto" | "concise" | "detailed";
}

/** The requested shape of the answer. */
export type Format =
  | { type: "text" }
  | { type: "json" }
  | { type: "schema"; schema: Json; name?: string; description?: string; strict?: boolean };

/** The canonical text request: what every protocol's request decodes to. */
export interface TextRequest {
  model: string;
  stream: boolean;
  messages: Message[];
  tools?: Tool[];
  toolChoice?: ToolChoice;
  reasoning?: ReasoningAsk;
  format?: Format;
  params: Params;
  extra?: Extra;
}

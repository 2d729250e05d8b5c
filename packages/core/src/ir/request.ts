import type { Json } from "../json/json.ts";
import type { Params } from "./params.ts";
import type { AssistantPart, CacheMark, Extra, Protocol, TextPart, UserPart } from "./part.ts";

/** System text, wherever it stands. `developer` keeps the spelling of the two wires that have both roles. */
export interface SystemMessage {
  role: "system";
  /** The instructions. */
  parts: TextPart[];
  /** It stood in the role `developer`, not `system`. */
  developer?: true;
  /** The author, where the wire gives one. */
  name?: string;
  /** How much to think from here on: behind a turn of the user in answer to it, elsewhere from the next one. */
  effort?: Effort;
  /** Members of the message that only its own protocol knows. */
  extra?: Extra;
}
/** A turn of the user, with the results of the user's tools. */
export interface UserMessage {
  role: "user";
  /** What the user says, shows or returns from tools, in order. */
  parts: UserPart[];
  /** The author, where the wire gives one. */
  name?: string;
  /** Members of the message that only its own protocol knows. */
  extra?: Extra;
}
/** A turn of the model: the parts of a reply as they stand. */
export interface AssistantMessage {
  role: "assistant";
  /** What the model said, thought and called, in order. */
  parts: AssistantPart[];
  /** The author, where the wire gives one. */
  name?: string;
  /** Members of the message that only its own protocol knows. */
  extra?: Extra;
}
/** One turn of a conversation, or a text of the system. */
export type Message = SystemMessage | UserMessage | AssistantMessage;

/** A function that the model may wish to have called. */
export interface FunctionTool {
  type: "function";
  /**
   * The name by which the model calls it, of the caller's choice; targets with a narrower alphabet get another one,
   * which `restore` takes back.
   */
  name: string;
  /** What it does and when to use it, for the model. */
  description?: string;
  /** JSON Schema of the arguments; absent where the tool takes none or is `freeform`. */
  schema?: Json;
  /** Absent: not requested. */
  strict?: boolean;
  /** The tool takes free text instead of JSON; `format` is the grammar for it, if any, flat. */
  freeform?: { format?: Json };
  /** Ends a prefix that the vendor should cache. */
  cache?: CacheMark;
  /** Members of the tool that only its own protocol knows. */
  extra?: Extra;
}
/** A vendor's own server tool: never turned into a function. */
export interface OpaqueTool {
  type: "opaque";
  /** The only protocol that can write the tool. */
  protocol: Protocol;
  /** The tool as it stood on the wire. */
  value: Json;
}
/** A tool of the model. A vendor's own server tool stays `opaque`: it is no function. */
export type Tool = FunctionTool | OpaqueTool;

/**
 * The choice of the tools that may be called. `names` narrows to a set; `parallel: false` asks for one call at a
 * time.
 */
export interface ToolChoice {
  /** `auto`: the model decides (the default). `required`: at least one call. `none`: no call. */
  mode?: "auto" | "required" | "none";
  /** The tools that may be called; absent: all. */
  names?: string[];
  /** `false`: one call in a turn at most; absent: as the model does. */
  parallel?: boolean;
}

/** The amounts of thinking, from least to most. */
export const efforts = ["minimal", "low", "medium", "high", "xhigh", "max"] as const;
/** One of `efforts`. */
export type Effort = (typeof efforts)[number];

/** The amount of thinking, and whether to show it. */
export interface ReasoningAsk {
  /** `off`: not at all. `auto`: the model decides. `on`: up to `budget`. */
  mode?: "off" | "auto" | "on";
  /** How much to think, in words; a target that counts tokens gets a budget instead. */
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
  | {
      type: "schema";
      /** JSON Schema of the answer. */
      schema: Json;
      /** A name for the schema, for the model. */
      name?: string;
      /** What the answer is for, for the model. */
      description?: string;
      /** The vendor has to keep to the schema, and may refuse one that it cannot keep to. */
      strict?: boolean;
    };

/** The canonical text request: what every protocol's request decodes to. */
export interface TextRequest {
  /** The model, by the caller's name for it. */
  model: string;
  /** Whether the reply should arrive as it is generated. */
  stream: boolean;
  /** The conversation, from the first turn to the one that is to be answered. */
  messages: Message[];
  /** The tools that the model may call. */
  tools?: Tool[];
  /** Which of them it may or has to call. */
  toolChoice?: ToolChoice;
  /** Whether and how much it should think. */
  reasoning?: ReasoningAsk;
  /** The shape of the answer: text, JSON, or JSON of a schema. */
  format?: Format;
  /** Temperature, limits and the other scalars that the request sets. */
  params: Params;
  /** Members of the request that only its own protocol knows. */
  extra?: Extra;
}

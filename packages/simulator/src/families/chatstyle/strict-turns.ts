import type { Rule } from "../../check/rule.ts";
import type { Body } from "../../protocols/chatstyle/schema.ts";
import { Refusal } from "../../refusal.ts";
import { type Family, type FamilyCall, wireRules } from "../family.ts";

/** Members of the wire that the vendor's validator does not know. */
const UNKNOWN = [
  "seed",
  "logprobs",
  "top_logprobs",
  "logit_bias",
  "max_completion_tokens",
  "store",
  "user",
  "verbosity",
  "service_tier",
] as const;

/** The vendor's validator, which answers 422 with the place of each member. */
function forbid(...loc: (string | number)[]): never {
  throw new Refusal("invalid", "Extra inputs are not permitted", {
    status: 422,
    field: loc.join("."),
    code: "extra_forbidden",
  });
}

const unknownMember: Rule<Body, FamilyCall> = {
  broken(body, { model, extra }) {
    for (const member of UNKNOWN) if (body[member] != null) forbid("body", member);
    for (const member of Object.keys(extra)) if (member === "top_k") forbid("body", member);
    if (body.reasoning_effort != null && !/magistral|(medium|small)-?(3\.5|4|26)/.test(model))
      forbid("body", "reasoning_effort");
    for (const [at, message] of body.messages.entries())
      if (message.role === "assistant" && message.reasoning_content != null)
        forbid("body", "messages", at, "assistant", "reasoning_content");
    return false;
  },
  message: "",
};

/** As the vendor's reference and its validator's answers have it in November 2026. */
export const strictTurns: readonly Family[] = [
  {
    name: "mistral-large",
    names: /(mis|minis|mix|magis|vox)tral|codestral|devstral|pixtral/,
    wires: {
      chatstyle: wireRules<Body>({
        callIdLength: 9,
        members: ["random_seed", "safe_prompt", "prompt_mode", "top_k"],
        rules: [
          unknownMember,
          {
            broken: ({ messages }) => messages.some(({ role }) => role === "developer"),
            message: "Unexpected role 'developer'",
          },
          {
            broken: ({ messages }) => {
              for (const message of messages)
                for (const { id } of message.role === "assistant" ? (message.tool_calls ?? []) : [])
                  if (!/^[a-zA-Z0-9]{9}$/.test(id))
                    return `Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9.`;
              return false;
            },
            message: "",
          },
          {
            code: "3230",
            broken: ({ messages }) => {
              const at = messages.findIndex(
                ({ role }, index) =>
                  messages[index - 1]?.role === "tool" && role !== "tool" && role !== "assistant",
              );
              return at > 0 && `Unexpected role '${messages[at]!.role}' after role 'tool'`;
            },
            message: "",
          },
          {
            broken: ({ messages }) => messages.at(-1)!.role === "assistant",
            message:
              "Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant",
          },
          {
            broken: ({ temperature, top_p }) => temperature === 0 && top_p != null && top_p !== 1,
            message: "top_p must be 1 when using greedy sampling.",
          },
          {
            broken: ({ tools = [] }) => tools.some(({ type }) => type === "custom"),
            message:
              "Input tag 'custom' found using 'type' does not match any of the expected tags: 'function'",
          },
        ],
        errorBody: ({ message, detail }) =>
          detail.code === "extra_forbidden"
            ? { detail: [{ type: detail.code, loc: detail.field?.split("."), msg: message }] }
            : {
                object: "error",
                message,
                type: "invalid_request_error",
                param: null,
                code: detail.code ?? null,
              },
      }),
    },
  },
];

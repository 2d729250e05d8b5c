import type { FunctionTool, Seal } from "@manifold-gateway/core/ir";
import { test } from "vitest";
import { asked } from "../translate/text-request.ts";
import { type Case, call, hi, hold, limit, model, result, text, user } from "./msgstyle-kit.ts";

const f: FunctionTool = { type: "function", name: "f", schema: { type: "object", properties: {} } };
const own: Seal = { protocol: "msgstyle", value: "sig+/=" };
const loop = [hi, model(call("a")), user(result("a"))];
const sealedLoop = [hi, model({ type: "reasoning", text: "hm", seal: own }, call("a")), user(result("a"))];

const requests: Record<string, Case> = {
  "a limit is invented": {
    ir: asked([hi]),
    wire: { max_tokens: 4096 },
    lost: ["/params/maxTokens"],
  },
  "the model's own limit is the limit": {
    ir: asked([hi]),
    traits: { maxOutput: 64_000 },
    wire: { max_tokens: 64_000 },
  },
  "sampling is held within bounds": {
    ir: asked([hi], {
      params: {
        maxTokens: 9,
        temperature: 1.7,
        stop: [" ", "END"],
        serviceTier: "flex",
        seed: 1,
        candidates: 2,
      },
    }),
    wire: { temperature: 1, stop_sequences: ["END"] },
    lost: [
      "/params/candidates",
      "/params/seed",
      "/params/serviceTier",
      "/params/stop",
      "/params/temperature",
    ],
    absent: ["service_tier"],
  },
  "a model may refuse sampling": {
    ir: asked([hi], { params: { maxTokens: 9, temperature: 0, topP: 0.5, topK: 3 } }),
    traits: { sampling: false },
    wire: {},
    lost: ["/params/temperature", "/params/topK", "/params/topP"],
    absent: ["temperature", "top_p", "top_k"],
  },
  "JSON without a schema is not asked for": {
    ir: asked([hi], { ...limit, format: { type: "json" } }),
    wire: {},
    lost: ["/format"],
    absent: ["output_config"],
  },
  "a schema is asked for in the smaller dialect": {
    ir: asked([hi], {
      ...limit,
      format: {
        type: "schema",
        name: "n",
        strict: true,
        schema: { type: "object", properties: { a: { type: "integer", minimum: 0 } } },
      },
    }),
    wire: {
      output_config: {
        format: {
          type: "json_schema",
          schema: { type: "object", properties: { a: { type: "integer" } }, additionalProperties: false },
        },
      },
    },
    lost: ["/format/name", "/format/schema", "/format/strict"],
  },
  "effort alone lets the model decide": {
    ir: asked([hi], { ...limit, reasoning: { effort: "high", show: "auto" } }),
    wire: { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "high" } },
  },
  "minimal effort is low": {
    ir: asked([hi], { ...limit, reasoning: { effort: "minimal" } }),
    wire: { thinking: { type: "adaptive" }, output_config: { effort: "low" } },
    lost: ["/reasoning/effort"],
  },
  "effort is a budget where the model takes nothing else": {
    ir: asked([hi], { params: { maxTokens: 20_000 }, reasoning: { effort: "medium" } }),
    traits: { thinking: ["manual", "off"] },
    wire: { thinking: { type: "enabled", budget_tokens: 8192 } },
    lost: ["/reasoning/budget", "/reasoning/effort", "/reasoning/mode"],
    absent: ["output_config"],
  },
  "a budget stays below the limit": {
    ir: asked([hi], { params: { maxTokens: 3000 }, reasoning: { mode: "on", budget: 9000 } }),
    wire: { max_tokens: 3000, thinking: { type: "enabled", budget_tokens: 2999 } },
    lost: ["/reasoning/budget"],
  },
  "a limit nobody named makes room for the budget": {
    ir: asked([hi], { reasoning: { mode: "on", budget: 9000 } }),
    wire: { max_tokens: 13_096, thinking: { type: "enabled", budget_tokens: 9000 } },
    lost: ["/params/maxTokens"],
  },
  "a small answer has no room for a budget": {
    ir: asked([hi], { params: { maxTokens: 1024 }, reasoning: { mode: "on", budget: 9000 } }),
    wire: {},
    lost: ["/reasoning"],
    absent: ["thinking"],
  },
  "a budget is an effort where the model takes nothing else": {
    ir: asked([hi], { ...limit, reasoning: { mode: "on", budget: 9000 } }),
    traits: { thinking: ["adaptive"] },
    wire: { thinking: { type: "adaptive" }, output_config: { effort: "medium" } },
    lost: ["/reasoning/budget", "/reasoning/effort", "/reasoning/mode"],
  },
  "off is off": {
    ir: asked([hi], { ...limit, reasoning: { mode: "off" } }),
    wire: { thinking: { type: "disabled" } },
  },
  "off is little where thinking cannot be switched off": {
    ir: asked([hi], { ...limit, reasoning: { mode: "off" } }),
    traits: { thinking: ["adaptive"] },
    wire: { thinking: { type: "adaptive" }, output_config: { effort: "low" } },
    lost: ["/reasoning/effort", "/reasoning/mode"],
  },
  "thinking refuses sampling": {
    ir: asked([hi], {
      params: { maxTokens: 9000, temperature: 0.5, topP: 0.97, topK: 4 },
      reasoning: { effort: "low" },
    }),
    wire: { top_p: 0.97 },
    lost: ["/params/temperature", "/params/topK"],
    absent: ["temperature", "top_k"],
  },
  "a forced choice goes before thinking": {
    ir: asked([hi], {
      ...limit,
      tools: [f],
      toolChoice: { mode: "required" },
      reasoning: { mode: "on", budget: 2000 },
    }),
    wire: { tool_choice: { type: "any" } },
    lost: ["/reasoning"],
    absent: ["thinking"],
  },
  "a tool loop that lost its thinking goes on without": {
    ir: asked(loop, { ...limit, tools: [f], reasoning: { mode: "on", budget: 2000 } }),
    wire: {},
    lost: ["/reasoning"],
    absent: ["thinking"],
  },
  "a tool loop that kept its thinking goes on with it": {
    ir: asked(sealedLoop, { ...limit, tools: [f], reasoning: { mode: "on", budget: 2000 } }),
    wire: { thinking: { type: "enabled", budget_tokens: 2000 } },
  },
  "only the running tool loop counts": {
    ir: asked([...loop, model(text("done")), user(text("more"))], {
      ...limit,
      tools: [f],
      reasoning: { mode: "on", budget: 2000 },
    }),
    wire: { thinking: { type: "enabled", budget_tokens: 2000 } },
  },
};

test.each(Object.entries(requests))("the request is encoded: %s", (_, one) => hold(one));

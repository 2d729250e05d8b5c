import type { Chapter } from "../feature.ts";

const chat = (finish_reason: string) => ({ choices: [{ finish_reason }] });
const gen = (finishReason: string) => ({ candidates: [{ finishReason }] });
const incomplete = (reason: string) => ({ status: "incomplete", incomplete_details: { reason } });

/** Why the reply ended, and what it took. */
export const endings: Chapter = {
  title: "Finish and usage",
  way: "answer",
  features: [
    {
      name: "Stopped at the token limit",
      said: {
        chatstyle: chat("length"),
        responses: incomplete("max_output_tokens"),
        msgstyle: { stop_reason: "max_tokens" },
        genstyle: gen("MAX_TOKENS"),
        native: { finishReason: "length" },
      },
    },
    {
      name: "Stopped by a filter",
      said: {
        chatstyle: chat("content_filter"),
        responses: incomplete("content_filter"),
        msgstyle: { stop_reason: "refusal" },
        genstyle: gen("SAFETY"),
        native: { finishReason: "content_filter" },
      },
      alike: { native: { finishReason: "refusal" } },
    },
    {
      name: "The matched stop sequence",
      word: "END",
      said: { msgstyle: { stop_reason: "stop_sequence", stop_sequence: "END" } },
    },
    {
      name: "Input and output tokens",
      said: {
        chatstyle: { usage: { prompt_tokens: 70, completion_tokens: 30, total_tokens: 100 } },
        responses: { usage: { input_tokens: 70, output_tokens: 30, total_tokens: 100 } },
        msgstyle: { usage: { input_tokens: 70, output_tokens: 30 } },
        genstyle: { usageMetadata: { promptTokenCount: 70, candidatesTokenCount: 30, totalTokenCount: 100 } },
        native: { usage: { promptTokens: 70, completionTokens: 30, totalTokens: 100 } },
      },
    },
    {
      name: "Tokens read from the cache",
      said: {
        chatstyle: {
          usage: { prompt_tokens: 70, total_tokens: 73, prompt_tokens_details: { cached_tokens: 50 } },
        },
        responses: {
          usage: { input_tokens: 70, total_tokens: 73, input_tokens_details: { cached_tokens: 50 } },
        },
        msgstyle: { usage: { input_tokens: 20, cache_read_input_tokens: 50 } },
        genstyle: {
          usageMetadata: { promptTokenCount: 70, totalTokenCount: 73, cachedContentTokenCount: 50 },
        },
      },
    },
    {
      name: "Tokens written to the cache",
      said: {
        chatstyle: {
          usage: { prompt_tokens: 70, total_tokens: 73, prompt_tokens_details: { cache_write_tokens: 50 } },
        },
        responses: {
          usage: { input_tokens: 70, total_tokens: 73, input_tokens_details: { cache_write_tokens: 50 } },
        },
        msgstyle: { usage: { input_tokens: 20, cache_creation_input_tokens: 50 } },
      },
    },
    {
      name: "Tokens of thinking",
      said: {
        chatstyle: {
          usage: {
            completion_tokens: 30,
            total_tokens: 34,
            completion_tokens_details: { reasoning_tokens: 20 },
          },
        },
        responses: {
          usage: { output_tokens: 30, total_tokens: 34, output_tokens_details: { reasoning_tokens: 20 } },
        },
        msgstyle: { usage: { output_tokens: 30, output_tokens_details: { thinking_tokens: 20 } } },
        genstyle: {
          usageMetadata: { candidatesTokenCount: 10, thoughtsTokenCount: 20, totalTokenCount: 34 },
        },
      },
    },
  ],
};

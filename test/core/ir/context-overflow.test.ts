import { codecs, type Failure } from "@manifold-gateway/core";
import { describe, expect, it, test } from "vitest";

const { chatstyle, msgstyle, responses, genstyle } = codecs;

/** Errors of servers that speak chat, and the words that a client of the messages wire looks for. */
const errors: [title: string, status: number, body: object, sought: string][] = [
  [
    "a conversation that is too long by itself",
    400,
    {
      error: {
        message:
          "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
      },
    },
    "prompt is too long: 9000 tokens > 8192 maximum",
  ],
  [
    "one that leaves too little room for the answer",
    400,
    {
      object: "error",
      message:
        "Requested token count exceeds the model's maximum context length of 262144 tokens. You requested a total of 262462 tokens: 230462 tokens from the input messages and 32000 tokens for the completion.",
    },
    "input length and `max_tokens` exceed context limit: 230462 + 32000 > 262144",
  ],
  [
    "a limit of the answer that is too large",
    400,
    {
      error: {
        message:
          "'max_tokens' or 'max_completion_tokens' is too large: 32000. This model's maximum context length is 40960 tokens and your request has 12000 input tokens (32000 > 40960 - 12000).",
      },
    },
    "input length and `max_tokens` exceed context limit: 12000 + 32000 > 40960",
  ],
  [
    "a code",
    400,
    { error: { message: "Too much.", code: "model_max_prompt_tokens_exceeded" } },
    "prompt is too long",
  ],
  ["a code that is a number", 400, { error: { message: "Prompt 超长", code: "1261" } }, "prompt is too long"],
  [
    "words in a detail",
    400,
    { detail: "Prompt too long: 9 tokens exceeds max context window" },
    "prompt is too long",
  ],
  [
    "a text",
    500,
    { error: "The model is loaded with context length of only 4096 tokens." },
    "prompt is too long",
  ],
];

describe.each(errors)("%s", (_, status, body, sought) => {
  const failure = chatstyle.failure.decode(status, body as never);
  it("is noticed by clients of the messages wire", () => {
    const { error } = msgstyle.failure.encode(failure).body as { error: { message: string } };
    expect(error.message).toContain(sought);
    expect(error.message).toContain(failure.message);
  });

  it("has the code that clients of the responses wire look for", () =>
    expect(responses.failure.encode(failure).body).toMatchObject({
      error: { code: "context_length_exceeded", message: failure.message },
    }));
});

test("a conversation that is too long for a messages model has the code of the chat wire", () => {
  const message = "prompt is too long: 210000 tokens > 200000 maximum";
  const failure = msgstyle.failure.decode(400, {
    type: "error",
    error: { type: "invalid_request_error", message },
  });
  expect(chatstyle.failure.encode(failure).body).toMatchObject({
    error: { code: "context_length_exceeded", message },
  });
  const google = genstyle.failure.decode(400, {
    error: {
      code: 400,
      message: "The input token count (9) exceeds the maximum number of tokens allowed (8).",
      status: "INVALID_ARGUMENT",
    },
  });
  expect(responses.failure.encode(google).body).toMatchObject({ error: { code: "context_length_exceeded" } });
});

test.each([
  "Prompt exceeds max length",
  "tokens in request more than max tokens allowed",
  "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 202752]",
  "Total tokens of image and text exceed max message tokens. Request id: 0217",
  "The decoder prompt (length 40000) is longer than the maximum model length of 32768.",
  "Input validation error: `inputs` must have less than 4096 tokens. Given: 5000",
  "`inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens and 512 `max_new_tokens`",
  "Prompt tokens too long",
  "max_tokens must be at least 1, got -1234",
])("a server says that a conversation is too long: %s", (message) => {
  const failure = chatstyle.failure.decode(400, { error: { message } });
  expect(responses.failure.encode(failure).body).toMatchObject({
    error: { code: "context_length_exceeded" },
  });
});

test("a rate of too many tokens is no conversation that is too long", () => {
  const failure: Failure = { kind: "rate_limit", status: 429, message: "Too many tokens, please wait." };
  expect(msgstyle.failure.encode(failure).body).toMatchObject({ error: { message: failure.message } });
  expect(chatstyle.failure.encode(failure).body).toMatchObject({ error: { code: null } });
});

import { alwaysThinks, coded, from } from "./shapes.ts";

export const googleBodies = [
  ...from("Google", [
    {
      body: [coded("Function call is missing a thought_signature in functionCall parts.")],
      traits: { callSignatures: true },
    },
    {
      body: coded("Text part is missing a thought_signature in content position 2, part position 1."),
      traits: { turnSignatures: true },
    },
    {
      body: coded("Image part is missing a thought_signature in content position 2, part position 1."),
      traits: { turnSignatures: true },
    },
    {
      body: coded(
        "Thinking level MINIMAL is not supported for this model. Please retry with other thinking level.",
      ),
      traits: { efforts: ["low", "medium", "high", "xhigh", "max"] },
    },
    { body: coded("Thinking level is not supported for this model."), traits: { thinkingBy: "budget" } },
    { body: coded("Budget 0 is invalid. This model only works in thinking mode."), traits: alwaysThinks },
    { body: [coded("Thinking can't be disabled for this model.")], traits: alwaysThinks },
    {
      body: coded("The thinking budget (100) is invalid. Please choose a value between 512 and 24576."),
      traits: { budgets: [512, 24576] },
    },
    {
      body: coded("Function calling with a response mime type: 'application/json' is unsupported"),
      before: { formatConflicts: ["thinking"] },
      traits: { formatConflicts: ["thinking", "tools"] },
    },
    {
      body: coded("Penalty is not enabled for models/gemini-2.5-flash-lite"),
      traits: { refuses: ["frequencyPenalty", "presencePenalty"] },
    },
    {
      body: coded("Logprobs is not enabled for this model"),
      traits: { refuses: ["logprobs", "topLogprobs"] },
    },
    {
      body: coded("Multiple candidates is not enabled for models/gemini-3-flash-preview"),
      traits: { refuses: ["candidates"] },
    },
    {
      body: coded("`function_response.parts` is not supported for this model."),
      traits: { resultMedia: false },
    },
    {
      body: coded(
        "Invalid JSON payload received. Unknown name \"parametersJsonSchema\" at 'tools[0].function_declarations[0]': Cannot find field.",
        [
          {
            "@type": "type.googleapis.com/google.rpc.BadRequest",
            fieldViolations: [
              {
                field: "tools[0].function_declarations[0]",
                description:
                  "Invalid JSON payload received. Unknown name \"parametersJsonSchema\" at 'tools[0].function_declarations[0]': Cannot find field.",
              },
            ],
          },
        ],
      ),
      traits: { jsonSchema: false },
    },
    {
      body: coded(
        "Invalid JSON payload received. Unknown name \"additionalProperties\" at 'tools[0].function_declarations[0].parameters.properties[0].value': Cannot find field.",
      ),
      traits: { schemaWithout: ["additionalProperties"] },
    },
    {
      body: coded(
        "Invalid JSON payload received. Unknown name \"id\" at 'contents[1].parts[0].function_call': Cannot find field.",
      ),
      traits: { callIds: false },
    },
    {
      body: coded(
        "Invalid JSON payload received. Unknown name \"thinkingLevel\" at 'generation_config.thinking_config': Cannot find field.",
      ),
      traits: { thinkingBy: "budget" },
    },
    {
      body: coded(
        "Invalid JSON payload received. Unknown name \"frequencyPenalty\" at 'generation_config': Cannot find field.",
      ),
      traits: { refuses: ["frequencyPenalty", "presencePenalty"] },
    },
    {
      body: coded(
        "Unable to submit request because it has a maxOutputTokens value of 100000 but the supported range is from 1 (inclusive) to 65537 (exclusive). Update the value and try again.",
      ),
      traits: { maxOutput: 65536 },
    },
  ]),
];

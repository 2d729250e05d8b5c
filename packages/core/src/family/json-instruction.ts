/** The instruction to write JSON, for wires that have no setting for JSON without a schema. */
export const AS_JSON = "Answer with one valid JSON object, and nothing before or after it.";

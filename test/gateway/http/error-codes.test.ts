import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { codeAreas } from "../../../packages/gateway/src/http/codes.ts";

const path = new URL("../../../docs/errors.md", import.meta.url);

const page = (): string => `# Errors

<!-- Generated from packages/gateway/src/http/codes.ts by \`UPDATE_DOCS=1 npx vitest run test/gateway/http/error-codes.test.ts\`. -->

All errors of the service itself have the same shape on every surface:

\`\`\`json
{ "errors": ["messages: at least one message is required (model 'm')"], "status": 400, "success": false, "path": "/api/chatstyle/v1/chat/completions", "timestamp": 1795251314093, "code": "invalid_request" }
\`\`\`

\`errors\` are sentences for people; each names the field, the value and what is allowed. \`code\` is for programs and stays the same from version to version. The compatibility surfaces add the protocol's own error object, with the same code if the protocol has a field for it. The log line of the request has the code as well.

Where fields of a request are at fault, routes of the service's own interfaces have them for programs too, as the names and indexes that lead to each: \`"fields": [{ "path": ["limits", "daily"], "text": "must be a number, and is text" }]\`. A path leads through the body, or names a parameter of the query or of the path; an empty one stands for the body. The compatibility surfaces name one field in the protocol's error object, where it has a place for that.

An error from the provider of a model does not have this shape: it is returned as the provider sent it, or in the caller's protocol if the provider speaks another. \`x-error-source\` says where an error comes from: \`provider\` or \`service\`.
${Object.entries(codeAreas)
  .map(
    ([area, codes]) => `
## ${area}

| code | status | |
|---|---|---|
${Object.entries(codes)
  .map(([code, { status, meaning }]) => `| \`${code}\` | ${status} | ${meaning} |`)
  .join("\n")}
`,
  )
  .join("")}`;

it("docs/errors.md lists every code with its status and meaning", () => {
  if (process.env.UPDATE_DOCS) writeFileSync(path, page());
  expect(readFileSync(path, "utf8")).toBe(page());
});

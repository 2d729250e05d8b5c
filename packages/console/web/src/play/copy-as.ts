import type { Sample } from "../api/curl.ts";
import { LANGUAGES } from "../api/languages.ts";
import { WIRES, type WireName } from "../codecs/wires.ts";
import { SDKS } from "./sdk-samples.ts";

/** A form in which a request can be taken along. */
export interface CopyForm {
  title: string;
  text: () => string;
}

/** The forms in which a pane's request can be taken along: commands, and programs of the SDK of its protocol. */
export function copyForms(protocol: WireName, model: string, text: string, origin: string): CopyForm[] {
  let body: Record<string, unknown>;
  try {
    body = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return [];
  }
  const stream = protocol === "generate" || body.stream === true;
  const sample: Sample = {
    method: "POST",
    url: origin + WIRES[protocol].path(model, stream),
    credential: { header: "x-api-key", variable: "MANIFOLD_KEY" },
    body,
  };
  const call = { origin, model, stream, body };
  const sdk = SDKS[protocol];
  return [
    { title: "curl", text: () => LANGUAGES.curl.write(sample) },
    { title: "fetch", text: () => LANGUAGES.typescript.write(sample) },
    ...(sdk
      ? [
          { title: `${sdk.name} SDK, JavaScript`, text: () => sdk.javascript(call) },
          { title: `${sdk.name} SDK, Python`, text: () => sdk.python(call) },
        ]
      : []),
    { title: "Python without an SDK", text: () => LANGUAGES.python.write(sample) },
  ];
}

export { type CountForm, countForms } from "./count-forms.ts";
export { plainTextEdits, streamEdits } from "./edits.ts";
export { endpoints, type Operation, type WireEndpoint } from "./endpoints.ts";
export { arrayStream, eventStream, type Framing, wantsEvents } from "./framing.ts";
export { modelInPath, modelSpellings } from "./model-names.ts";
export { likelyProtocol, type RequestHeaders, type Wire, wireOf } from "./wire-of.ts";

import { smallBody } from "../http/body.ts";
import { Refusal } from "../http/refusal.ts";
import { readRequestOptions } from "../routing/losses.ts";
import { BodyReader } from "./body-reader.ts";
import { openBodyUse } from "./large-body.ts";
import { parse, readTarget } from "./read-target.ts";
import type { RunningRequest } from "./running-request.ts";

/** Reads the input and the options of a request. Throws a 400 if they are not as its route takes them. */
export async function receive(request: RunningRequest): Promise<void> {
  const { exchange, surface, route, input } = request;
  if (route.body) {
    const bodyUse = openBodyUse(request);
    request.bodyUse = bodyUse instanceof Promise ? await bodyUse : bodyUse;
  }
  if (route.params || route.query) readTarget(request);
  if (route.body) {
    const reader = new BodyReader(request, route.limits ?? smallBody, request.bodyUse);
    if (route.upload && reader.isUpload(route)) {
      const { json, upload } = await reader.upload(route);
      Object.assign(input, { json, upload });
      request.progress.body = upload;
    } else input.json = await reader.read(route);
    input.body = parse(route.body, input.json?.value);
  }
  const options = readRequestOptions(exchange, surface.codec, route.generates ? input.json : undefined);
  if (route.generates && options.explain && !route.explains)
    throw new Refusal("explain_not_supported", "x-explain: not supported by this route.", {
      param: "x-explain",
    });
  request.options = options;
}

import { type JsonObject, wires } from "@manifold-gateway/core/codec";
import {
  chatstyleTranscription,
  FormFields,
  fromForm,
  listFieldsOf,
} from "@manifold-gateway/core/transcription";
import { type Wire, wireOf } from "@manifold-gateway/core/wire";
import { ClientRefusal } from "../reply/failure.ts";
import { incomingOf, type ReadIncoming } from "../request/incoming.ts";
import { recordingOf } from "./recording.ts";

/** The field of the recording. */
const FILE = "file";
const { schema } = chatstyleTranscription.request;

/** Reads a form with a recording: its texts have the types of the wire's schema. */
export const readRecording: ReadIncoming = async (request, codec, id) => {
  const { headers, method, url } = request;
  const fields = new FormFields(listFieldsOf(schema));
  let file: File | undefined;
  for (const [name, value] of await formOf(request)) {
    if (typeof value === "string") {
      if (name === FILE || name.startsWith(`${FILE}[`)) throw refusal("must be a file of the form");
      if (!fields.add(name, value))
        throw refusal(`the form's field ${JSON.stringify(name)} cannot be read, or occurs twice`, name);
    } else if (name !== FILE)
      throw refusal(`the form has a file in the field ${JSON.stringify(name)}; only ${FILE} is one`);
    else if (file) throw refusal(`the form has two files; one is accepted, in the field ${FILE}`);
    else file = value;
  }
  const { recording, facts } = file
    ? recordingOf(new Uint8Array(await file.arrayBuffer()), file)
    : { recording: undefined, facts: undefined };
  const typed = fromForm(fields.object, schema);
  const wire = wireOf(method, url, headers, typed) as Wire;
  const value: JsonObject = {
    ...typed,
    ...(wire.operation === "translation" && { task: "translate" }),
    ...(facts && { file: facts }),
  };
  const body = { value, protocols: wires, holdsSeal: () => false, edited: () => "" };
  return { ...incomingOf(request, { id, wire, codec, body }), ...(recording && { recording }) };
};

async function formOf(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch {
    request.signal.throwIfAborted();
    throw refusal("the body must be a multipart form with the recording as `file`");
  }
}

const refusal = (words: string, param = FILE): ClientRefusal =>
  new ClientRefusal(400, "invalid_form", `${param}: ${words}.`, param);

/** A file of a form. */
export interface Upload {
  name: string;
  type: string;
  bytes: Buffer;
}

/** The fields of a multipart form: texts, and lists of files. Undefined when it is not one. */
export async function readForm(
  bytes: Buffer,
  contentType: string,
): Promise<Record<string, string | Upload[]> | undefined> {
  try {
    const form = await new Response(new Uint8Array(bytes), {
      headers: { "content-type": contentType },
    }).formData();
    const fields: Record<string, string | Upload[]> = {};
    for (const [name, value] of form.entries()) {
      if (typeof value === "string") fields[name] = value;
      else {
        const upload = { name: value.name, type: value.type, bytes: Buffer.from(await value.arrayBuffer()) };
        const before = fields[name];
        fields[name] = [...(Array.isArray(before) ? before : []), upload];
      }
    }
    return fields;
  } catch {
    return undefined;
  }
}

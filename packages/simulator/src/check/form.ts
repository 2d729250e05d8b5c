/** A file of a form. */
export interface Upload {
  name: string;
  type: string;
  bytes: Buffer;
}

/** The fields of a multipart form: texts, lists of them, and lists of files. Undefined when it is not one. */
export async function readForm(
  bytes: Buffer,
  contentType: string,
): Promise<Record<string, string | string[] | Upload[]> | undefined> {
  try {
    const form = await new Response(new Uint8Array(bytes), {
      headers: { "content-type": contentType },
    }).formData();
    const fields: Record<string, string | string[] | Upload[]> = {};
    for (const [name, value] of form.entries()) {
      if (typeof value === "string")
        fields[name] = name.endsWith("[]") ? [...((fields[name] as string[]) ?? []), value] : value;
      else {
        const upload = { name: value.name, type: value.type, bytes: Buffer.from(await value.arrayBuffer()) };
        const before = fields[name];
        fields[name] = [...(Array.isArray(before) ? (before as Upload[]) : []), upload];
      }
    }
    return fields;
  } catch {
    return undefined;
  }
}

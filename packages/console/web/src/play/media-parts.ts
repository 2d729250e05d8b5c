import type { MediaPart } from "@manifold-gateway/core/ir";
import { size } from "../format.ts";

/** The kind of a file as part of a message; nothing where no model takes it. */
function kindOf(type: string): MediaPart["kind"] | undefined {
  const [family] = type.split("/");
  if (family === "image" || family === "audio" || family === "video") return family;
  return type === "application/pdf" || family === "text" ? "document" : undefined;
}

/** What a file field offers. */
export const ACCEPTED = "image/*,audio/*,video/*,application/pdf,text/*";

/** A file that was chosen, dropped or pasted, as part of a message. */
export async function toMediaPart(file: File): Promise<MediaPart> {
  const kind = kindOf(file.type);
  if (!kind)
    throw new Error(
      `"${file.name}" is ${file.type || "of no known type"}: images, audio, video, PDF and text can be sent.`,
    );
  const address = await new Promise<string>((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result));
    reader.onerror = () => failed(new Error(`"${file.name}" cannot be read.`));
    reader.readAsDataURL(file);
  });
  const [mediaType = file.type] = file.type.split(";");
  const source = { type: "base64" as const, mediaType, data: address.slice(address.indexOf(",") + 1) };
  return { type: "media", kind, source, ...(kind === "document" && { name: file.name }) };
}

/** A file as pages can show it: from its own bytes only, nothing is fetched from elsewhere. */
export const dataUrl = ({ source }: MediaPart): string | undefined =>
  source.type === "base64"
    ? `data:${source.mediaType};base64,${source.data.replaceAll("-", "+").replaceAll("_", "/")}`
    : undefined;

/** What a file is, in words. */
export function sayMedia({ source, name, kind }: MediaPart): string {
  const what =
    source.type === "base64"
      ? `${source.mediaType}, ${size(Math.floor((source.data.length * 3) / 4))}`
      : source.type === "url"
        ? source.url
        : `upload ${source.id}`;
  return `${name ?? kind}: ${what}`;
}

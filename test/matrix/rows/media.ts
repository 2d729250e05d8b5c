import type { JsonObject } from "@manifold-gateway/core/codec";
import type { Chapter } from "../feature.ts";

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const pdf = "JVBERi0xLjcKJeLjz9MK";
const wav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEA";
const mp4 = "AAAAGGZ0eXBtcDQyAAAAAG1wNDJpc29t";
const tale = btoa("Once upon a time.");
const cat = "https://example.com/cat.png";
const paper = "https://example.com/paper.pdf";

/** One part of the user's words, as each protocol places it. */
const cs = (part: JsonObject) => ({ messages: [{ role: "user", content: [part] }] });
const rs = (part: JsonObject) => ({ input: [{ role: "user", content: [part] }] });
const ms = cs;
const gs = (part: JsonObject) => ({ contents: [{ role: "user", parts: [part] }] });
const bytes = (media_type: string, data: string) => ({ type: "base64", media_type, data });

/** What a user shows beside text. */
export const media: Chapter = {
  title: "Media",
  way: "ask",
  features: [
    {
      name: "Image, by its bytes",
      word: png,
      said: {
        chatstyle: cs({ type: "image_url", image_url: { url: `data:image/png;base64,${png}` } }),
        responses: rs({ type: "input_image", image_url: `data:image/png;base64,${png}` }),
        msgstyle: ms({ type: "image", source: bytes("image/png", png) }),
        genstyle: gs({ inlineData: { mimeType: "image/png", data: png } }),
      },
    },
    {
      name: "Image, by URL",
      word: cat,
      said: {
        chatstyle: cs({ type: "image_url", image_url: { url: cat } }),
        responses: rs({ type: "input_image", image_url: cat }),
        msgstyle: ms({ type: "image", source: { type: "url", url: cat } }),
        genstyle: gs({ fileData: { fileUri: cat, mimeType: "image/png" } }),
      },
      alike: { genstyle: gs({ fileData: { fileUri: cat } }) },
    },
    {
      name: "Detail of an image",
      word: "high",
      said: {
        chatstyle: cs({ type: "image_url", image_url: { url: cat, detail: "high" } }),
        responses: rs({ type: "input_image", image_url: cat, detail: "high" }),
        genstyle: gs({
          fileData: { fileUri: cat, mimeType: "image/png" },
          mediaResolution: { level: "MEDIA_RESOLUTION_HIGH" },
        }),
      },
      alike: {
        genstyle: gs({ fileData: { fileUri: cat }, mediaResolution: { level: "MEDIA_RESOLUTION_HIGH" } }),
      },
    },
    {
      name: "PDF, by its bytes",
      word: pdf,
      said: {
        chatstyle: cs({
          type: "file",
          file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${pdf}` },
        }),
        responses: rs({
          type: "input_file",
          filename: "a.pdf",
          file_data: `data:application/pdf;base64,${pdf}`,
        }),
        msgstyle: ms({ type: "document", source: bytes("application/pdf", pdf), title: "a.pdf" }),
        genstyle: gs({ inlineData: { mimeType: "application/pdf", data: pdf } }),
      },
      alike: {
        chatstyle: cs({ type: "file", file: { file_data: `data:application/pdf;base64,${pdf}` } }),
        responses: rs({ type: "input_file", file_data: `data:application/pdf;base64,${pdf}` }),
        msgstyle: ms({ type: "document", source: bytes("application/pdf", pdf) }),
      },
    },
    {
      name: "PDF, by URL",
      word: paper,
      said: {
        responses: rs({ type: "input_file", file_url: paper }),
        msgstyle: ms({ type: "document", source: { type: "url", url: paper } }),
        genstyle: gs({ fileData: { fileUri: paper, mimeType: "application/pdf" } }),
      },
      alike: { genstyle: gs({ fileData: { fileUri: paper } }) },
    },
    {
      name: "Text document, by its bytes",
      word: "Once upon a time.",
      said: {
        chatstyle: cs({
          type: "file",
          file: { filename: "a.txt", file_data: `data:text/plain;base64,${tale}` },
        }),
        responses: rs({ type: "input_file", filename: "a.txt", file_data: `data:text/plain;base64,${tale}` }),
        msgstyle: ms({
          type: "document",
          source: { type: "text", media_type: "text/plain", data: "Once upon a time." },
        }),
        genstyle: gs({ inlineData: { mimeType: "text/plain", data: tale } }),
      },
      alike: { responses: rs({ type: "input_file", file_data: `data:text/plain;base64,${tale}` }) },
    },
    {
      name: "Audio, by its bytes",
      word: wav,
      said: {
        chatstyle: cs({ type: "input_audio", input_audio: { data: wav, format: "wav" } }),
        responses: rs({ type: "input_audio", input_audio: { data: wav, format: "wav" } }),
        genstyle: gs({ inlineData: { mimeType: "audio/wav", data: wav } }),
      },
    },
    {
      name: "Video, by its bytes",
      word: mp4,
      said: {
        chatstyle: cs({ type: "video_url", video_url: { url: `data:video/mp4;base64,${mp4}` } }),
        genstyle: gs({ inlineData: { mimeType: "video/mp4", data: mp4 } }),
      },
    },
    {
      name: "An uploaded file",
      word: "file_123",
      said: {
        chatstyle: cs({ type: "file", file: { file_id: "file_123" } }),
        responses: rs({ type: "input_file", file_id: "file_123" }),
        msgstyle: ms({ type: "document", source: { type: "file", file_id: "file_123" } }),
      },
    },
    {
      name: "Citations of a document, requested",
      said: {
        msgstyle: ms({
          type: "document",
          source: bytes("application/pdf", pdf),
          citations: { enabled: true },
        }),
      },
    },
  ],
};

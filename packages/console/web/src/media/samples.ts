import { quoted, type Sample } from "../api/curl.ts";
import { LANGUAGES, toPythonValue } from "../api/languages.ts";
import type { CopyForm } from "../play/copy-as.ts";
import { CALLS, type CallName } from "../play/media.ts";

type Body = Readonly<Record<string, unknown>>;

const BASE = "/api/chatstyle/v1";
const VARIABLE = "MANIFOLD_KEY";

/** The method of the SDK of the chat family, and what becomes of its answer in both languages. */
const SDK: Partial<Record<CallName, { method: string; javascript: string; python: string }>> = {
  transcribe: { method: "audio.transcriptions.create", javascript: "answer.text", python: "answer.text" },
  translate: { method: "audio.translations.create", javascript: "answer.text", python: "answer.text" },
  speak: {
    method: "audio.speech.create",
    javascript: 'await writeFile("speech", Buffer.from(await answer.arrayBuffer()))',
    python: 'answer.write_to_file("speech")',
  },
  moderate: { method: "moderations.create", javascript: "answer.results", python: "answer.results" },
  embed: { method: "embeddings.create", javascript: "answer.data", python: "answer.data" },
};

/** The forms of a transcript that are no JSON: the SDKs return the text itself. */
const TEXTS: readonly unknown[] = ["text", "srt", "vtt"];

/** What becomes of the answer to a request. */
const resultOf = (
  name: CallName,
  { response_format: format }: Body,
  language: "javascript" | "python",
): string => (TEXTS.includes(format) ? "answer" : (SDK[name]?.[language] ?? ""));

/** Statements that print a value; one that writes a file stands as it is. */
const shown = (text: string, print: string): string =>
  text.includes("writeFile") || text.includes("write_to_file") ? text : `${print}(${text})`;

function javascriptOf(name: CallName, body: Body, origin: string, file?: string): string {
  const { method = "" } = SDK[name] ?? {};
  const text = JSON.stringify(body, null, 2);
  const members =
    file === undefined
      ? text
      : text.replace("{", () => `{\n  "file": createReadStream(${JSON.stringify(file)}),`);
  const ended = shown(resultOf(name, body, "javascript"), "console.log");
  return [
    ...(file === undefined ? [] : ['import { createReadStream } from "node:fs";']),
    ...(ended.includes("writeFile") ? ['import { writeFile } from "node:fs/promises";'] : []),
    'import OpenAI from "openai";',
    "",
    `const client = new OpenAI({ apiKey: process.env.${VARIABLE}, baseURL: ${JSON.stringify(origin + BASE)} });`,
    `const answer = await client.${method}(${members});`,
    `${body.stream === true ? "for await (const event of answer) console.log(event)" : ended};`,
  ].join("\n");
}

function pythonOf(name: CallName, body: Body, origin: string, file?: string): string {
  const { method = "" } = SDK[name] ?? {};
  const named = Object.entries(body).map(
    ([member, value]) => `    ${member}=${toPythonValue(value, "    ")},`,
  );
  return [
    "import os",
    "from openai import OpenAI",
    "",
    `client = OpenAI(api_key=os.environ["${VARIABLE}"], base_url=${JSON.stringify(origin + BASE)})`,
    `answer = client.${method}(`,
    ...(file === undefined ? [] : [`    file=open(${JSON.stringify(file)}, "rb"),`]),
    ...named,
    ")",
    ...(body.stream === true
      ? ["for event in answer:", "    print(event)"]
      : [shown(resultOf(name, body, "python"), "print")]),
  ].join("\n");
}

/** A request in JSON, as commands and programs. */
export function jsonForms(name: CallName, body: Body, origin: string): CopyForm[] {
  const credential = { header: "x-api-key", variable: VARIABLE };
  const sample: Sample = { method: "POST", url: origin + CALLS[name], credential, body };
  return [
    { title: "curl", text: () => `${LANGUAGES.curl.write(sample)}${name === "speak" ? " -o speech" : ""}` },
    { title: "fetch", text: () => LANGUAGES.typescript.write(sample) },
    ...(SDK[name]
      ? [
          { title: "OpenAI SDK, JavaScript", text: () => javascriptOf(name, body, origin) },
          { title: "OpenAI SDK, Python", text: () => pythonOf(name, body, origin) },
        ]
      : []),
    { title: "Python without an SDK", text: () => LANGUAGES.python.write(sample) },
  ];
}

/** A file's name in a field of curl, which ends an unquoted one at a comma or a semicolon. */
const inField = (file: string): string =>
  /[",;\\]/.test(file) ? `"${file.replaceAll(/["\\]/g, "\\$&")}"` : file;

/** The fields of a form, one for each value of a list. */
export const fieldsOf = (body: Body): (readonly [name: string, value: string])[] =>
  Object.entries(body).flatMap(([name, value]) =>
    Array.isArray(value)
      ? value.map((one) => [`${name}[]`, String(one)] as const)
      : [[name, String(value)] as const],
  );

/** A form with a file, as a command and as programs of the SDK. */
export function formForms(
  name: "transcribe" | "translate",
  body: Body,
  origin: string,
  file: string,
): CopyForm[] {
  const curl = [
    `curl ${quoted(origin + CALLS[name])}`,
    `-H "x-api-key: $${VARIABLE}"`,
    `-F ${quoted(`file=@${inField(file)}`)}`,
    // A value that begins with `@` or `<` would be taken for the name of a file.
    ...fieldsOf(body).map(([field, value]) => `--form-string ${quoted(`${field}=${value}`)}`),
  ].join(" \\\n  ");
  return [
    { title: "curl", text: () => curl },
    { title: "OpenAI SDK, JavaScript", text: () => javascriptOf(name, body, origin, file) },
    { title: "OpenAI SDK, Python", text: () => pythonOf(name, body, origin, file) },
  ];
}

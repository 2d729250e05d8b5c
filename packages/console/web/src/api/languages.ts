import { type Sample, toCurl } from "./curl.ts";

/** A JSON value as Python writes it. */
export function toPythonValue(value: unknown, indent = ""): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = `${indent}    `;
  const isList = Array.isArray(value);
  const members = isList
    ? value.map((item) => toPythonValue(item, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${toPythonValue(item, inner)}`);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  if (members.length === 0) return open + close;
  return `${open}\n${members.map((member) => `${inner}${member},\n`).join("")}${indent}${close}`;
}

function toPython({ method, url, credential, body }: Sample): string {
  const { header, variable, prefix } = credential ?? {};
  const secret = `os.environ["${variable}"]`;
  const lines = [
    `    ${JSON.stringify(url)},`,
    ...(header ? [`    headers={"${header}": ${prefix ? `"${prefix}" + ${secret}` : secret}},`] : []),
    ...(body === undefined ? [] : [`    json=${toPythonValue(body, "    ")},`]),
  ];
  return [
    ...(header ? ["import os", ""] : []),
    "import requests",
    "",
    `answer = requests.${method.toLowerCase()}(`,
    ...lines,
    ")",
    "print(answer.status_code, answer.text)",
  ].join("\n");
}

function toTypeScript({ method, url, credential, body }: Sample): string {
  const { header, variable, prefix = "" } = credential ?? {};
  const headers = [
    ...(header ? [`"${header}": \`${prefix}\${process.env.${variable}}\``] : []),
    ...(body === undefined ? [] : ['"content-type": "application/json"']),
  ];
  const members = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(headers.length === 0 ? [] : [`  headers: { ${headers.join(", ")} },`]),
    ...(body === undefined
      ? []
      : [`  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll("\n", "\n  ")}),`]),
  ];
  const options = members.length === 0 ? "" : `, {\n${members.join("\n")}\n}`;
  return [
    `const answer = await fetch(${JSON.stringify(url)}${options});`,
    "console.log(answer.status, await answer.text());",
  ].join("\n");
}

export const LANGUAGES = {
  curl: { title: "curl", write: toCurl },
  python: { title: "Python", write: toPython },
  typescript: { title: "TypeScript", write: toTypeScript },
} as const satisfies Record<string, { title: string; write: (sample: Sample) => string }>;

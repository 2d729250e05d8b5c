import { type Json, type JsonObject, toArray, toObject } from "@manifold-gateway/core/codec";
import { plain, prose } from "./text.ts";
import { schemaTree } from "./tree.ts";

const json = (value: Json): string => `<pre>${plain(JSON.stringify(value, null, 2))}</pre>`;

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --dim: #8a8a8a; --mark: #3b82f6 }
* { box-sizing: border-box }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; display: grid; grid-template-columns: 20rem 1fr }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1rem; border-right: 1px solid var(--line) }
nav a { display: block; text-decoration: none; color: inherit; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; font-size: 13px }
nav b { display: block; margin-top: 1rem }
main { padding: 1rem 2rem; max-width: 60rem; min-width: 0 }
section { border-top: 1px solid var(--line); padding: .5rem 0 1.5rem }
h3 { margin: .8rem 0 .2rem; overflow-wrap: anywhere } h4 { margin: 1rem 0 .2rem }
code, pre { font: 13px/1.45 ui-monospace, monospace } pre { overflow: auto; padding: .6rem; border: 1px solid var(--line); border-radius: 6px }
.method { color: var(--mark); font-weight: 700 } .dim { color: var(--dim) }
ul.tree { list-style: none; padding-left: 1rem; margin: .2rem 0; border-left: 1px solid var(--line) }
table { border-collapse: collapse; width: 100% } td { border-bottom: 1px solid var(--line); padding: .25rem .5rem .25rem 0; vertical-align: top }
@media (max-width: 50rem) { body { display: block } nav { position: static; height: auto; border: 0 } }
`;

interface Entry {
  method: string;
  path: string;
  operation: JsonObject;
}

/** Renders an OpenAPI document as one page, which fetches nothing and runs no script. */
export function toPage(document: JsonObject): string {
  const { info, tags, paths, components } = document as Record<string, JsonObject>;
  const entries = Object.entries(paths ?? {}).flatMap(([path, item]) =>
    Object.entries(toObject(item)).map(([method, operation]) => ({
      method,
      path,
      operation: toObject(operation),
    })),
  );
  const groups = (tags as unknown as JsonObject[]).map((tag) => ({
    tag,
    rows: entries.filter(({ operation }) => toArray(operation.tags).includes(tag.name as Json)),
  }));
  const schemas = Object.entries(toObject(components?.schemas));
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${plain(info?.title)}</title>
<meta name="viewport" content="width=device-width"><style>${STYLE}</style></head><body>
<nav><strong>${plain(info?.title)}</strong> <a href="openapi.json">openapi.json</a>
${groups.map(({ tag, rows }) => `<b>${plain(tag.name)}</b>${rows.map(link).join("")}`).join("")}
<b>schemas</b>${schemas.map(([id]) => `<a href="#schema-${id}">${id}</a>`).join("")}</nav>
<main><h1>${plain(info?.title)}</h1><p>${prose(info?.description)}</p>
${groups.map(({ tag, rows }) => `<h2>${plain(tag.name)}</h2><p>${prose(tag.description)}</p>${rows.map(section).join("")}`).join("")}
<h2>schemas</h2>${schemas.map(([id, schema]) => `<section id="schema-${id}"><h3>${id}</h3>${schemaTree(schema as Json)}</section>`).join("")}
</main></body></html>`;
}

const link = ({ method, path, operation }: Entry): string =>
  `<a href="#${plain(operation.operationId)}"><span class="method">${method.toUpperCase()}</span> ${plain(path)}</a>`;

function section({ method, path, operation }: Entry): string {
  const ways = toArray(operation.security).flatMap((way) => Object.keys(toObject(way)));
  return `<section id="${plain(operation.operationId)}">
<h3><span class="method">${method.toUpperCase()}</span> ${plain(path)}</h3>
<p>${prose(operation.summary)}. ${prose(operation.description)} <span class="dim">${ways.length > 0 ? `Credential: ${ways.join(" or ")}.` : "Open."}</span></p>
${parameters(toArray(operation.parameters))}
${content("Body", toObject(operation.requestBody))}
${Object.entries(toObject(operation.responses))
  .map(([status, response]) => content(`Answer ${status}`, toObject(response)))
  .join("")}</section>`;
}

const parameters = (list: readonly Json[]): string =>
  `<table>${list
    .map(toObject)
    .map(
      ({ name, in: place, schema, description }) =>
        `<tr><td><code>${plain(name)}</code></td><td class="dim">${plain(place)}</td><td>${schemaTree(schema as Json)}${prose(description)}</td></tr>`,
    )
    .join("")}</table>`;

/** The content of a request or an answer, by content type. It is collapsed at first, because it is long. */
function content(title: string, { content, description }: JsonObject): string {
  const types = Object.entries(toObject(content));
  return `<h4>${title}</h4>${description === undefined ? "" : `<p class="dim">${prose(description)}</p>`}${types
    .map(([type, media]) => {
      const { schema, examples, example } = toObject(media);
      const shown = [
        ...Object.entries(toObject(examples)).map(([name, one]) => [name, toObject(one).value] as const),
        ...(example === undefined ? [] : [["example", example] as const]),
      ];
      return `<details><summary><code>${plain(type)}</code></summary>${schemaTree(schema as Json)}${shown
        .map(([name, value]) => `<p class="dim">${plain(name)}</p>${json(value as Json)}`)
        .join("")}</details>`;
    })
    .join("")}`;
}

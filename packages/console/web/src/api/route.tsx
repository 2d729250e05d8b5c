import { useSignal } from "@preact/signals";
import { type SurfaceName, surfaceOf } from "../play/surfaces.ts";
import { operator, session } from "../state/session.ts";
import { Json } from "../ui/json.tsx";
import { Copy } from "../ui/parts.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { LANGUAGES } from "./languages.ts";
import { contentOf, type Entry, placedIn, sampleOf, takes } from "./samples.ts";
import { TryIt } from "./try-it.tsx";

/** One route: what it takes and answers, how programs call it, and a way to try it. */
export function Route({ of: entry }: { of: Entry }) {
  const { method, path, operation } = entry;
  const { summary, description, responses } = operation;
  const examples = Object.entries(contentOf(operation)?.examples ?? {});
  const [, first] = examples[0] ?? [];
  const isOpen = useSignal(false);
  return (
    <details
      class="route"
      onToggle={({ currentTarget }) => {
        isOpen.value ||= currentTarget.open;
      }}
    >
      <summary>
        <code>
          <span class={`method ${method.toLowerCase()}`}>{method}</span> {path}
        </code>{" "}
        <span class="faint">{summary}</span>
      </summary>
      {description !== undefined && <p>{description}</p>}
      <ul>
        {placedIn(operation).map(({ name, in: place, required, description: about }) => (
          <li key={`${place} ${name}`}>
            <code>{name}</code>{" "}
            <span class="faint">
              {place}
              {required && ", required"}
            </span>{" "}
            {about}
          </li>
        ))}
      </ul>
      {isOpen.value && (
        <>
          {examples.length > 1 &&
            examples.map(([name, { value }]) => (
              <Json key={name} value={value} label={`Example ${name} of ${method} ${path}`} />
            ))}
          <Languages of={entry} body={first?.value} />
          <Trial of={entry} body={first?.value} />
        </>
      )}
      <p class="faint">
        Answers:{" "}
        {Object.entries(responses)
          .map(([status, { description: about }]) => `${status} ${about ?? ""}`)
          .join(" · ")}
      </p>
    </details>
  );
}

interface PartProps {
  of: Entry;
  body: unknown;
}

function Languages({ of: entry, body }: PartProps) {
  const open = useSignal("curl");
  const sample = sampleOf(entry, body, location.origin);
  const tabs = Object.fromEntries(
    Object.entries(LANGUAGES).map(([name, { title, write }]) => {
      const text = write(sample);
      return [
        name,
        {
          title,
          body: (
            <>
              <Copy text={text} label={`Copy ${title}`} />
              <pre class="answer">{text}</pre>
            </>
          ),
        },
      ];
    }),
  );
  return (
    <Tabs
      of={tabs}
      open={open.value}
      onOpen={(name) => {
        open.value = name;
      }}
    />
  );
}

/** The screen that sends what these surfaces take, with its price beforehand. */
const SCREEN_OF: { [name in SurfaceName]?: string } = {
  image: "/console/media?mode=image",
  video: "/console/media?mode=video",
  reading: "/console/media?mode=speech",
  reference: "/console/media?mode=speech",
  embeddings: "/console/media?mode=embedding",
};

function Trial({ of: entry, body }: PartProps) {
  const { method, path, operation } = entry;
  const found = method === "POST" ? surfaceOf(path.replace("{model}", "model")) : undefined;
  if (found)
    return (
      <div class="acts">
        <a class="button" href={SCREEN_OF[found.surface] ?? "/console/play"}>
          Try it in the playground
        </a>
        <a class="button" href="/console/explain">
          Explain it
        </a>
      </div>
    );
  const isOpen =
    (takes(operation, "session") && session.value) ||
    (takes(operation, "operator") && operator.value !== null);
  const isStream = Object.values(operation.responses).some(
    ({ content = {} }) => "text/event-stream" in content,
  );
  return isOpen && !isStream ? <TryIt of={entry} body={body} /> : null;
}

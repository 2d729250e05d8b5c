import { toCurl } from "../api/curl.ts";
import { FIRST_QUESTIONS } from "../codecs/first-question.ts";
import { WIRES } from "../codecs/wires.ts";
import { count } from "../format.ts";
import { Hello } from "../home/hello.tsx";
import { session } from "../state/session.ts";
import { Copy } from "../ui/parts.tsx";
import { Section } from "../ui/section.tsx";

/** The last step: the first answer of a model that was just added. */
export function FirstAnswer({ models }: { models: readonly string[] }) {
  const [model] = models;
  if (model === undefined)
    return (
      <Section title="The provider is there" isCard>
        <p>Add its models in the catalog, by the names that it has for them.</p>
      </Section>
    );
  return (
    <Section title="It is served" isCard>
      <p>{sayModels(models)} on every surface, from now on.</p>
      {session.value === null ? <Command model={model} /> : <Hello among={models} />}
    </Section>
  );
}

/** The most models that are named. */
const MOST = 3;

const sayModels = (models: readonly string[]): string =>
  models.length > MOST
    ? `${count(models.length)} models answer`
    : `${new Intl.ListFormat("en").format(models)} ${models.length === 1 ? "answers" : "answer"}`;

/** An operator without an account asks by a key of one. */
function Command({ model }: { model: string }) {
  const line = toCurl({
    method: "POST",
    url: location.origin + WIRES.chat.path(),
    credential: { header: "x-api-key", variable: "MANIFOLD_KEY" },
    body: FIRST_QUESTIONS.chat(model),
  });
  return (
    <>
      <pre class="secret">{line}</pre>
      <Copy text={line} label="Copy the command" />
    </>
  );
}

import { agents, settingLines, termsAt } from "../../../src/agents.ts";
import { FIRST_QUESTIONS } from "../codecs/first-question.ts";
import type { WireName } from "../codecs/wires.ts";
import { copyForms } from "../play/copy-as.ts";

/** The settings of one program for the gateway: its name, and the text to copy. */
export interface Snippet {
  title: string;
  text: string;
}

const VARIABLE = "MANIFOLD_KEY";

/** The lines that set the variable of the key, if its text is known. */
const exported = (key: string | undefined): string =>
  key === undefined ? `export ${VARIABLE}=…   # the key` : `export ${VARIABLE}="${key}"`;

/** Commands, programs of each SDK, and the settings of each coding agent, with address, model and key in them. */
export function snippetsFor({
  origin,
  model,
  key,
}: {
  origin: string;
  model: string;
  key?: string | undefined;
}): Snippet[] {
  const programs = Object.entries(FIRST_QUESTIONS).flatMap(([wire, bodyOf]) =>
    copyForms(wire as WireName, model, JSON.stringify(bodyOf(model)), origin)
      .filter(({ title }) => wire === "chat" || title.includes("SDK,"))
      .map(({ title, text }) => ({ title, text: `${exported(key)}\n\n${text()}` })),
  );
  const terms = termsAt(origin, { model, key: VARIABLE });
  const settings = Object.values(agents).map((agent) => ({
    title: agent.name,
    text: [exported(key), "", ...settingLines(agent, terms)].join("\n"),
  }));
  return [...programs, ...settings];
}

import { useQuery } from "@tanstack/preact-query";
import { type Answer, call } from "../api/client.ts";
import { useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { anyOf, Choice } from "../ui/filters.tsx";
import { Empty, Head } from "../ui/parts.tsx";

type Voice = Answer<"/api/v1/audio/voices">["voices"][number];

/** The voices that can read a text, each with a sentence of its own in every language it speaks. */
export default function Voices() {
  const list = useQuery({
    queryKey: ["voices"],
    queryFn: ({ signal }) => call("get", "/api/v1/audio/voices", { signal }),
    staleTime: 300_000,
  });
  return (
    <>
      <Head title="Voices" about="Each voice has a sample in every language it speaks." />
      <Awaited label="voices" of={list}>
        {({ voices }) => <VoiceList of={voices} />}
      </Awaited>
    </>
  );
}

function VoiceList({ of: voices }: { of: readonly Voice[] }) {
  const [params, set] = useParams();
  const facets = {
    language: voices.flatMap(({ languages }) => languages.map(({ language }) => language)),
    gender: voices.map(({ gender }) => gender),
    category: voices.flatMap(({ categories }) => categories),
    model: voices.map(({ resourceId }) => resourceId),
  };
  const shown = voices.filter(
    ({ languages, gender, categories, resourceId }) =>
      (!params.language || languages.some(({ language }) => language === params.language)) &&
      (!params.gender || gender === params.gender) &&
      (!params.category || (categories as string[]).includes(params.category)) &&
      (!params.model || resourceId === params.model),
  );
  return (
    <>
      <search class="filters">
        {Object.entries(facets).map(([name, values], at) => (
          <Choice
            key={name}
            name={name}
            value={params[name]}
            of={anyOf(values.toSorted())}
            onChange={(value) => set({ [name]: value })}
            isFirst={at === 0}
          />
        ))}
        <span class="faint">
          {shown.length} of {voices.length}
        </span>
      </search>
      {shown.length === 0 && (
        <Empty>
          <p>No voice matches these filters.</p>
          <a class="button" href="/console/voices">
            Show all
          </a>
        </Empty>
      )}
      <ul class="cards">
        {shown.map((voice) => (
          <li key={voice.voiceType}>
            <h2>{voice.name}</h2>
            <p class="faint">
              {voice.gender}, {voice.age} · <code>{voice.voiceType}</code>
            </p>
            <p>{voice.description}</p>
            <ul class="samples">
              {voice.languages.map(({ language, text }) => (
                <li key={language}>
                  <span lang={language}>{text}</span> <span class="faint">{language}</span>{" "}
                  <a
                    href={`/console/media?${new URLSearchParams({ mode: "speech", voice: voice.voiceType, text })}`}
                    aria-label={`Read it with ${voice.name} in ${language}`}
                  >
                    Read it
                  </a>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </>
  );
}

import { useQuery } from "@tanstack/preact-query";
import { type Answer, call } from "../api/client.ts";
import { useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Badge, Badges } from "../ui/badge.tsx";
import { anyOf, Choice, Find, hasWords } from "../ui/filters.tsx";
import { Empty, Head, Id } from "../ui/parts.tsx";

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
  const facets: Record<string, string[]> = {
    Language: voices.flatMap(({ languages }) => languages.map(({ language }) => language)),
    Gender: voices.map(({ gender }) => gender),
    Category: voices.flatMap(({ categories }) => categories),
    Model: voices.map(({ resourceId }) => resourceId),
  };
  const shown = voices.filter(
    ({ languages, gender, categories, resourceId, name, voiceType, description }) =>
      hasWords(params.search, [name, voiceType, description]) &&
      (!params.language || languages.some(({ language }) => language === params.language)) &&
      (!params.gender || gender === params.gender) &&
      (!params.category || (categories as string[]).includes(params.category)) &&
      (!params.model || resourceId === params.model),
  );
  return (
    <>
      <search class="filters">
        <Find
          name="Find a voice"
          placeholder="Name or description"
          value={params.search}
          onChange={(typed) => set({ search: typed }, true)}
        />
        {Object.entries(facets).map(([title, values]) => (
          <Choice
            key={title}
            name={title}
            value={params[title.toLowerCase()]}
            of={anyOf(values.toSorted())}
            onChange={(value) => set({ [title.toLowerCase()]: value })}
          />
        ))}
        <span class="faint">
          {shown.length} of {voices.length}
        </span>
      </search>
      {shown.length === 0 && (
        <Empty title="No voice matches" icon="voices">
          <a class="button" href="/console/voices">
            Show all
          </a>
        </Empty>
      )}
      <ul class="cards">
        {shown.map((voice) => (
          <li key={voice.voiceType}>
            <h2>{voice.name}</h2>
            <p>
              <Badges of={[voice.gender, voice.age, ...voice.categories]} />
            </p>
            <p>{voice.description}</p>
            <Id of={voice.voiceType} />
            <ul class="samples">
              {voice.languages.map(({ language, text }) => (
                <li key={language}>
                  <Badge>{language}</Badge> <span lang={language}>{text}</span>{" "}
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

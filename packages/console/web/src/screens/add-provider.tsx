import "../catalog/catalog.css";
import { type Member, useMembers } from "../catalog/calls.ts";
import { Checklist } from "../catalog/checklist.tsx";
import { Connect } from "../catalog/connect.tsx";
import { LastChange } from "../catalog/done.tsx";
import { FirstAnswer } from "../catalog/first-answer.tsx";
import { IntoView } from "../catalog/into-view.tsx";
import { type Preset, usePresets } from "../catalog/provider-form.tsx";
import { Review } from "../catalog/review.tsx";
import { useWizard } from "../catalog/use-wizard.ts";
import type { Test } from "../catalog/wizard.ts";
import { duration } from "../format.ts";
import { useParams } from "../state/url.ts";
import { Awaited, together } from "../ui/awaited.tsx";
import { Form } from "../ui/form.tsx";
import { Head, Loading } from "../ui/parts.tsx";
import { Section } from "../ui/section.tsx";

/** From a provider's key to the first answer of one of its models. */
export default function AddProvider() {
  const [params] = useParams();
  const all = together([useMembers(), usePresets()]);
  return (
    <>
      <Head
        title={params.provider ? `Models of ${params.provider}` : "Add provider"}
        about="Its key, a test, the models that it lists, and a review before anything changes."
      >
        <a class="button" href="/console/catalog">
          To the catalog
        </a>
      </Head>
      <LastChange />
      <Awaited label="the known providers" rows={6} of={all}>
        {([members, presets]) => (
          <Steps key={params.provider} members={members} presets={presets} declared={params.provider} />
        )}
      </Awaited>
    </>
  );
}

interface StepsProps {
  members: readonly Member[];
  presets: readonly Preset[];
  /** A provider that is declared already, to which models are added. */
  declared: string | undefined;
}

function Steps({ members, presets, declared }: StepsProps) {
  const wizard = useWizard(members, declared);
  const { name, draft, test, outcome, choices, models, made } = wizard;
  if (made.value) return <FirstAnswer models={made.value} />;
  const isNew = declared === undefined;
  return (
    <div class="wizard">
      {isNew ? (
        <Connect
          presets={presets}
          preset={presets.find(({ id }) => id === draft.value.preset)}
          onPreset={wizard.begin}
          name={name}
          onName={wizard.rename}
          of={draft}
          isChosen={wizard.isChosen.value}
          onTest={wizard.run}
        />
      ) : (
        <Section title="1. The provider" isCard>
          <Form act="Test it and list its models" onSubmit={wizard.run}>
            <p>
              {declared} is declared already. Models that are chosen here are added to it, or become further
              routes.
            </p>
          </Form>
        </Section>
      )}
      {wizard.isTesting.value && <Loading label="its models" />}
      {test && (
        <Section title="2. Its models" isCard about={<Verdict of={test} />}>
          <IntoView />
          {(test.verdict === "listed" || test.verdict === "untried") && (
            <Form
              act={choices.value.size === 0 && isNew ? "Review without models" : "Review"}
              onSubmit={wizard.review}
            >
              <Checklist
                provider={name}
                of={test.models}
                choices={choices.value}
                onChange={wizard.choose}
                marksMissing={wizard.marksMissing.value}
              />
            </Form>
          )}
        </Section>
      )}
      {outcome && (
        <Section title="3. Review" isCard about="Nothing has changed yet.">
          <Form
            act={isNew ? `Add ${name} and ${models}` : `Add ${models}`}
            isDanger={outcome.breaks.length > 0}
            onSubmit={wizard.apply}
          >
            <IntoView />
            <Review of={outcome} />
          </Form>
        </Section>
      )}
    </div>
  );
}

/** What came of a test, and what to do about it. */
const Verdict = ({ of: { verdict, finding, todo, ms } }: { of: Test }) => (
  <span role="status">
    <b class={verdict === "listed" ? "good" : verdict === "untried" ? "warn" : "bad"}>{finding}</b> {todo} (
    {duration(ms)})
  </span>
);

import { ErrorBoundary, Route, Router } from "preact-iso";
import { Frame } from "./frame/frame.tsx";
import { isFor, screens } from "./screens.ts";
import { hasEnded, hasOperatorEnded, operator, session } from "./state/session.ts";
import { focusHeading, useTitle } from "./ui/arrival.ts";
import { Empty, Loading } from "./ui/parts.tsx";
import { OperatorAgain, SignIn, SignInAgain } from "./ui/sign-in.tsx";

export function App() {
  if (session.value === undefined) return <Loading label="the console" />;
  if (session.value === null && operator.value === null) return <SignIn />;
  const who = { account: session.value !== null, operator: operator.value !== null };
  return (
    <Frame>
      <ErrorBoundary>
        <Router onRouteChange={focusHeading}>
          {screens
            .filter((screen) => isFor(screen, who))
            .map(({ path, component }) => (
              <Route key={path} path={path} component={component} />
            ))}
          <Route default component={Nowhere} />
        </Router>
      </ErrorBoundary>
      {hasEnded.value && <SignInAgain />}
      {hasOperatorEnded.value && <OperatorAgain />}
    </Frame>
  );
}

function Nowhere() {
  useTitle("Page not found");
  return (
    <Empty icon="search">
      <h1 tabIndex={-1}>Page not found</h1>
      <p>
        The link may be outdated, or the page may be for operators only. <a href="/console">Go to Home</a>
      </p>
    </Empty>
  );
}

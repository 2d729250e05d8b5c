import { ErrorBoundary, Route, Router } from "preact-iso";
import { isFor, screens } from "./screens.ts";
import { hasEnded, hasOperatorEnded, operator, session } from "./state/session.ts";
import { Frame } from "./ui/frame.tsx";
import { Empty, Loading } from "./ui/parts.tsx";
import { OperatorAgain, SignIn, SignInAgain } from "./ui/sign-in.tsx";

export function App() {
  if (session.value === undefined) return <Loading what="the console" />;
  if (session.value === null && operator.value === null) return <SignIn />;
  const who = { account: session.value !== null, operator: operator.value !== null };
  return (
    <Frame>
      <ErrorBoundary>
        <Router>
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

const Nowhere = () => (
  <Empty>
    <h1>There is no such page</h1>
    <p>
      Perhaps it is for operators, or the link is old. <a href="/console">Go home</a>
    </p>
  </Empty>
);

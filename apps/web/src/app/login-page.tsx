import { Button } from "../element/button.tsx";
import { Mark } from "../icon/mark.tsx";
import style from "./login-page.module.css";

/** Tells a browser that is not logged in how it gets in. */
export function LoginPage() {
  return (
    <main className={style.page}>
      <div className={style.card}>
        <Mark size={40} />
        <h1>This browser is not logged in</h1>
        <p>
          Turnwire lets in only browsers that have opened a login link. Ask for one in a terminal on
          the machine where Turnwire runs, then open it here. It works once, for ten minutes.
        </p>
        <pre className={style.command}>
          <code>npx turnwire login</code>
        </pre>
        <Button onClick={() => location.reload()}>I have opened the link: try again</Button>
      </div>
    </main>
  );
}

import { useNow } from "../../element/use-now.ts";
import style from "./request-card.module.css";

const MINUTE_MS = 60_000;

/** Sooner than this it is worth a word. */
const SOON_MINUTES = 10;

/** Says when a request will not wait much longer. */
export function ExpiryNote({ expiresAt }: { readonly expiresAt: string }) {
  const now = useNow();
  const minutes = Math.ceil((Date.parse(expiresAt) - now.getTime()) / MINUTE_MS);
  if (minutes > SOON_MINUTES) return null;
  return (
    <span className={style.expiry}>
      {minutes <= 1 ? "Waits less than a minute" : `Waits ${minutes} more minutes`}
    </span>
  );
}

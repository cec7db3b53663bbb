import { useNow } from "../../element/use-now.ts";
import style from "./request-card.module.css";

const MINUTE_MS = 60_000;

/** Shown only when less than this is left. */
const SOON_MINUTES = 10;

/** Warns that a request is about to expire. */
export function ExpiryNote({ expiresAt }: { readonly expiresAt: string }) {
  const now = useNow();
  const minutes = Math.ceil((Date.parse(expiresAt) - now.getTime()) / MINUTE_MS);
  if (minutes > SOON_MINUTES) return null;
  return (
    <span className={style.expiry}>
      {minutes <= 1 ? "Expires in less than a minute" : `Expires in ${minutes} minutes`}
    </span>
  );
}

import { useEffect, useState } from "react";

const MINUTE_MS = 60_000;

/** The time, anew each minute, so that ages on the page do not grow old themselves. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

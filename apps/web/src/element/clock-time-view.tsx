import { clockText, dateText } from "./clock-time.ts";
import style from "./clock-time-view.module.css";

/** The time of day, quietly; screen readers and the tooltip have the full date. */
export function ClockTime({ time }: { readonly time: string }) {
  const clock = clockText(time);
  if (clock === "") return null;
  const date = dateText(time);
  return (
    <time className={`rigid tiny numbers faint ${style.time}`} dateTime={time} title={date}>
      <span aria-hidden="true">{clock}</span>
      <span className={`visually-hidden ${style.date}`}>{date}</span>
    </time>
  );
}

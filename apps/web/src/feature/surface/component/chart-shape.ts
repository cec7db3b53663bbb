/** The picture's own units; it is scaled to whatever room there is. */
export const plot = { width: 480, height: 200, ceiling: 28, floor: 172 } as const;

/** A value in the picture: its bar, and the tip where a line goes through. */
export interface Bar {
  readonly left: number;
  readonly middle: number;
  readonly width: number;
  readonly top: number;
  readonly height: number;
  readonly tip: number;
}

/** Shares the width among the values; zero is always in the picture, so that lengths can be compared. */
export function barsFrom(data: readonly number[]): readonly Bar[] {
  const most = Math.max(0, ...data);
  const least = Math.min(0, ...data);
  const span = most - least || 1;
  const room = plot.floor - plot.ceiling;
  const heightOf = (value: number): number => ((value - least) / span) * room;
  const step = plot.width / Math.max(1, data.length);
  const zero = plot.floor - heightOf(0);
  return data.map((value, index) => {
    const tip = plot.floor - heightOf(value);
    const width = Math.min(64, step * 0.56);
    const middle = step * (index + 0.5);
    const top = Math.min(tip, zero);
    return {
      left: middle - width / 2,
      middle,
      width,
      top,
      height: Math.max(1, Math.abs(zero - tip)),
      tip,
    };
  });
}

export function lineFrom(bars: readonly Bar[]): string {
  return bars.map(({ middle, tip }) => `${middle},${tip}`).join(" ");
}

/** Lets work go on by itself: how it fails is told by the session's view. */
export function detachTold(work: Promise<unknown>): void {
  work.catch(toldInView);
}

function toldInView(): void {}

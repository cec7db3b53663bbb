import { createContext, use, useState } from "react";

/** Which folds the person opened or closed, by id; it outlives rows that scroll out of sight. */
export type FoldMemory = Map<string, boolean>;

export const FoldMemoryContext = createContext<FoldMemory>(new Map());

/** Whether a fold is open, and the function that changes it. */
export function useFold(id: string, isOpenAtFirst: boolean): [boolean, (isOpen: boolean) => void] {
  const memory = use(FoldMemoryContext);
  const [chosen, setChosen] = useState(() => memory.get(id));
  const choose = (isOpen: boolean): void => {
    memory.set(id, isOpen);
    setChosen(isOpen);
  };
  return [chosen ?? isOpenAtFirst, choose];
}

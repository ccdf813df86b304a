import { useEffect } from 'react'

/** Calls back as soon as the last step is done. */
export function useOnDone(isDone: boolean, onDone: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the state of the steps decides
  useEffect(() => {
    if (isDone) onDone()
  }, [isDone])
}

import { type ComponentType, isValidElement, type LazyExoticComponent, lazy, type ReactNode } from 'react'

type Later<Props> = LazyExoticComponent<ComponentType<Props>> & {
  /** Loads the code before the component is shown. */
  loadAhead: () => Promise<unknown>
}

/** Defers loading the code of a component until it is first shown, or loaded ahead. */
export function loadLater<Props>(load: () => Promise<ComponentType<Props>>): Later<Props> {
  return Object.assign(
    lazy(async () => ({ default: await load() })),
    { loadAhead: load },
  )
}

/** Loads the code of an element ahead, if it is one to load later; a failure shows once the element is. */
export function loadAhead(element: ReactNode): void {
  if (!isValidElement(element)) return
  const { loadAhead } = element.type as unknown as Partial<Later<object>>
  loadAhead?.().catch(() => null)
}

import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

/** Defers loading the code of a component until it is first shown. */
export function loadLater<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await load() }))
}

/** Writes an action as it is compared: in lower case, and `category:action` as `category.action`. */
export function normaliseAction(name: string): string {
  return name.toLowerCase().replace(':', '.')
}

/** The action of a normalised `category.action`; a bare action as it is. */
export function bareActionOf(name: string): string {
  return name.slice(name.indexOf('.') + 1)
}

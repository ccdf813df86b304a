/** The names that an agent has elsewhere; an empty text is no name. */
export type Names = { ens?: string; did?: string }

type NamesPatch = { [Name in keyof Names]: string | null }

/** Patches the edited names that differ from the stored ones; an emptied field removes its name. */
export function changeNames(stored: Names, edits: Names): { names?: NamesPatch } {
  const texts = Object.entries(edits).map(([name, text]) => [name, text.trim() || null] as const)
  const changed = texts.filter(([name, text]) => text !== (stored[name as keyof Names] ?? null))
  return changed.length === 0 ? {} : { names: Object.fromEntries(changed) }
}

/** Patches the names back to what they were. A patch is merged, so a name that was not there has to be removed. */
export function restoreNames(former: unknown): NamesPatch | null {
  if (former === undefined) return null
  const { ens = null, did = null } = former as NamesPatch
  return { ens, did }
}

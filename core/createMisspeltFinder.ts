/** A member that is not known, and the one that was probably meant. */
export type MisspeltMember = { name: string; meant: string }

/** Longer than any member with a separator between its words. */
const NAME_LENGTH_MAX = 40
const MISSPELT_MAX = 10

/**
 * Creates a function that finds members of an input that have the letters of a known one, but another case or separators
 * between the words: `agentID`, `agent_id`. Where unknown members are ignored, such an input would without a hint be read as
 * if it did not state the fact. Undefined if there are none, as in nearly every input.
 */
export function createMisspeltFinder(
  names: readonly string[],
): (input: unknown) => readonly MisspeltMember[] | undefined {
  const known = new Set(names)
  const byLetters = new Map(names.map((name) => [lettersOf(name), name]))
  return (input) => {
    let misspelt: MisspeltMember[] | undefined
    for (const name in input as object) {
      if (known.has(name) || name.length > NAME_LENGTH_MAX) continue
      const meant = byLetters.get(lettersOf(name))
      if (meant === undefined) continue
      misspelt ??= []
      misspelt.push({ name, meant })
      if (misspelt.length === MISSPELT_MAX) break
    }
    return misspelt
  }
}

function lettersOf(name: string): string {
  return name.replace(/[-_ ]/g, '').toLowerCase()
}

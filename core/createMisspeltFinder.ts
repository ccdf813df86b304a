/** A member that is not known, and the one that was probably meant. */
export type MisspeltMember = { name: string; meant: string }

/** Longer than any member with a separator between its words. */
const NAME_LENGTH_MAX = 40
/** Shorter names are too similar to other words. */
const SLIP_LENGTH_MIN = 4
const MISSPELT_MAX = 10

/**
 * Creates a function that finds members of an input that have the letters of a known one, but another case or separators
 * between the words (`agentID`, `agent_id`), or one slip of the fingers: a letter missing, doubled or swapped with the next
 * (`pdls`). Where unknown members are ignored, such an input would without a hint be read as if it did not state the fact.
 * Undefined if there are none, as in nearly every input.
 */
export function createMisspeltFinder(
  names: readonly string[],
): (input: unknown) => readonly MisspeltMember[] | undefined {
  const known = new Set(names)
  const byLetters = indexByLetters(names)
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

/** The letters of a name itself precede slips in another. */
function indexByLetters(names: readonly string[]): ReadonlyMap<string, string> {
  const slips = names.flatMap((name) => listSlips(lettersOf(name)).map((slip) => [slip, name] as const))
  return new Map([...slips, ...names.map((name) => [lettersOf(name), name] as const)])
}

/** A name without its last letter is often another word (`protocol`, `mode`), and counts only if that letter is doubled. */
function listSlips(letters: string): string[] {
  if (letters.length < SLIP_LENGTH_MIN) return []
  const slips = [...letters].flatMap((letter, at) => {
    const [before, rest] = [letters.slice(0, at), letters.slice(at + 1)]
    const doubled = before + letter + letter + rest
    return rest === ''
      ? [doubled]
      : [before + rest, doubled, before + rest.charAt(0) + letter + rest.slice(1)]
  })
  return slips.filter((slip) => slip.length >= SLIP_LENGTH_MIN)
}

function lettersOf(name: string): string {
  return name.replace(/[-_ ]/g, '').toLowerCase()
}

import { verificationBodyShape } from './verificationBodyShape.ts'

/** A member that the service does not know, and the one that was probably meant. */
export type MisspeltMember = { name: string; meant: string }

const NAMES = Object.keys(verificationBodyShape.members)
const KNOWN = new Set(NAMES)
const BY_LETTERS = new Map(NAMES.map((name) => [lettersOf(name), name]))

/** Longer than any member with a separator between its words. */
const NAME_LENGTH_MAX = 40
const MISSPELT_MAX = 10

/**
 * Finds members of a verification request that have the letters of a known one, but another case or separators between the
 * words: `agentID`, `agent_id`. Unknown members are ignored, so that without a hint such a request would be decided as if it
 * did not state the fact. Undefined if there are none, as in nearly every request.
 */
export function findMisspeltMembers(body: unknown): readonly MisspeltMember[] | undefined {
  let misspelt: MisspeltMember[] | undefined
  for (const name in body as object) {
    if (KNOWN.has(name) || name.length > NAME_LENGTH_MAX) continue
    const meant = BY_LETTERS.get(lettersOf(name))
    if (meant === undefined) continue
    misspelt ??= []
    misspelt.push({ name, meant })
    if (misspelt.length === MISSPELT_MAX) break
  }
  return misspelt
}

function lettersOf(name: string): string {
  return name.replace(/[-_ ]/g, '').toLowerCase()
}

/** Warns of members that were ignored; undefined if there are none. */
export function warnOfMisspelt(misspelt: readonly MisspeltMember[] | undefined): string[] | undefined {
  return misspelt?.map(
    ({ name, meant }) =>
      `The member ${name} was ignored, because it is unknown; ${meant} was probably meant.`,
  )
}

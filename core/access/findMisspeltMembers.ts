import { createMisspeltFinder, type MisspeltMember } from '../createMisspeltFinder.ts'
import { verificationBodyShape } from './verificationBodyShape.ts'

/** Finds members of a verification request that were probably meant to be known ones; unknown members are ignored. */
export const findMisspeltMembers = createMisspeltFinder(Object.keys(verificationBodyShape.members))

/** Warns of members that were ignored; undefined if there are none. */
export function warnOfMisspelt(misspelt: readonly MisspeltMember[] | undefined): string[] | undefined {
  return misspelt?.map(
    ({ name, meant }) =>
      `The member ${name} was ignored, because it is unknown; ${meant} was probably meant.`,
  )
}

import { capitalise } from './words.ts'

/** How messages begin that need a subject. */
const PREDICATE =
  /^(is|are|has|have|must|can|cannot|may|does|do|differs|never|names|allows|belongs|comes|consists|contains|exceeds|holds|lacks|mixes|needs|repeats|uses)\b/

/** Says what is wrong with a field, in the words of its label; a message that is a sentence of its own needs no subject. */
export function describeFault(label: string, message: string): string {
  if (/^[A-Z]/.test(message)) return message
  return PREDICATE.test(message) ? `${capitalise(label)} ${message}` : `${capitalise(label)}: ${message}`
}

import { capitalise } from './words.ts'

/** Says what is wrong with a field, in the words of its label; a message that is a sentence of its own needs no subject. */
export function describeFault(label: string, message: string): string {
  if (/^[A-Z]/.test(message)) return message
  const isPredicate = !/^(expected|required|unknown|a|an|the|this|another|no)\b/.test(message)
  return isPredicate ? `${capitalise(label)} ${message}` : `${capitalise(label)}: ${message}`
}

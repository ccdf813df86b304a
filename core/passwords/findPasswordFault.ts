import { commonPasswords } from './commonPasswords.ts'

/** The owner of the password; unknown fields are null. */
export type PasswordOwner = { email: string | null; fullName: string | null }

export type PasswordFault = { code: 'personal' | 'repetitive' | 'sequence' | 'common'; message: string }

/** Minimum number of characters that must remain after removing everything guessable. */
const OWN_LEAST = 8
const REST_LEAST = 4
/** A shorter part of a name or an address occurs in many words by chance. */
const PART_LEAST = 4
const RUN_LEAST = 4
const UNIT_LONGEST = 4
const DISTINCT_LEAST = 4

const RUNS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  '1q2w3e4r5t6y7u8i9o0p',
].flatMap((run) => [run, [...run].reverse().join('')])

const SWAPPED: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/**
 * Finds the reason why an attacker would try a password early; null when there is none.
 *
 * It uses only a list and rules, so that no password leaves the process. The caller has to check the length, in characters.
 * Case and Unicode normalisation form are ignored.
 * Source: NIST SP 800-63B §3.1.1.2 (blocklist), OWASP ASVS 5.0 §6.2.
 */
export function findPasswordFault(password: string, owner: PasswordOwner): PasswordFault | null {
  const text = normaliseText(password)
  const plain = stripPunctuation(text)
  if (isPersonal(plain, owner)) {
    return { code: 'personal', message: 'consists of the e-mail address or name of the account' }
  }
  if (isRepetitive(text)) return { code: 'repetitive', message: 'repeats a few characters' }
  if (stripRuns(plain).length < REST_LEAST) {
    return { code: 'sequence', message: 'is a sequence of letters, digits or adjacent keys' }
  }
  if (isCommon(text)) return { code: 'common', message: 'is among the most commonly used passwords' }
  return null
}

function normaliseText(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

/** Returns only the letters and digits. */
function stripPunctuation(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '')
}

function isPersonal(plain: string, { email, fullName }: PasswordOwner): boolean {
  const address = normaliseText(email ?? '')
  const name = normaliseText(fullName ?? '')
  const local = address.split('@')[0] ?? ''
  const wholes = [address, name].map(stripPunctuation).filter((part) => part.length >= PART_LEAST)
  if (wholes.some((whole) => plain.includes(whole))) return true
  const parts = [local, ...local.split(/[^\p{L}\p{N}]+/u), ...name.split(/[^\p{L}\p{N}]+/u)]
    .map(stripPunctuation)
    .filter((part) => part.length >= PART_LEAST)
    .sort((a, b) => b.length - a.length)
  const rest = parts.reduce((left, part) => left.replaceAll(part, ''), plain)
  return rest !== plain && rest.length < OWN_LEAST
}

function isRepetitive(text: string): boolean {
  const characters = [...text]
  if (new Set(characters).size < DISTINCT_LEAST) return true
  return Array.from({ length: UNIT_LONGEST }, (_, index) => index + 1).some((unit) =>
    characters.every((character, place) => character === characters[place % unit]),
  )
}

/** Removes sequences of neighbouring characters. */
function stripRuns(plain: string): string {
  let left = plain
  for (let from = 0; from + RUN_LEAST <= left.length; ) {
    const length = runAt(left, from)
    if (length >= RUN_LEAST) left = left.slice(0, from) + left.slice(from + length)
    else from += 1
  }
  return left
}

/** Returns the length of the longest sequence that starts at `from`. */
function runAt(text: string, from: number): number {
  let length = RUN_LEAST - 1
  while (
    from + length < text.length &&
    RUNS.some((run) => run.includes(text.slice(from, from + length + 1)))
  ) {
    length += 1
  }
  return length
}

function isCommon(text: string): boolean {
  const start = text.replace(/[^\p{L}]+$/u, '')
  const word = start.replace(/^[^\p{L}]+/u, '')
  const forms = [text, word, ...[text, start, word].map(undoSubstitutions)].map(stripPunctuation)
  return forms.some((form) => isWordOrTwo(form) || isWordOrTwo(form.replace(/^\d+|\d+$/g, '')))
}

function undoSubstitutions(text: string): string {
  return [...text].map((character) => SWAPPED[character] ?? character).join('')
}

function isWordOrTwo(text: string): boolean {
  if (commonPasswords.has(text)) return true
  for (let cut = 1; cut < text.length; cut += 1) {
    if (commonPasswords.has(text.slice(0, cut)) && commonPasswords.has(text.slice(cut))) return true
  }
  return false
}

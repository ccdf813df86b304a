// Own code: no kept library for UTS 39 exists, and the regular expressions of the platform know the scripts.
import { LIVING_SCRIPTS } from './livingScripts.ts'

/** Why a name could be taken for another one; `message` says what is wrong and what is possible. */
export type NameFault = {
  code: 'invisible_character' | 'compatibility_character' | 'stacked_marks' | 'mixed_scripts'
  message: string
}

/**
 * Explains why a name could be taken for another one; null if it could not.
 *
 * It must not contain characters that show nothing or change the direction of others, nor other forms of letters, digits and
 * punctuation (such as fullwidth ones), except within an emoji. No letter has more than two marks that can be put on any
 * letter. All its letters must be of one script, or of Latin with Chinese, Japanese or Korean. Names in one script that look
 * like another word in another one are allowed, because whole languages look like that.
 *
 * Expects NFC. The restriction level is "highly restrictive" for any script, not for the recommended ones only. Source: UTS
 * 39 §3.1 (Not_NFKC), §5.2, §5.4; UAX 24 §5.1.
 */
export function findNameFault(name: string): NameFault | null {
  if (/^[ -~]*$/.test(name)) return null
  const text = name.replace(EMOJI, '')
  const hidden = INVISIBLE.exec(text)?.[0]
  if (hidden !== undefined) return { code: 'invisible_character', message: describeHidden(hidden) }
  const variant = Array.from(text).find((character) => isVariant(character, text))
  if (variant !== undefined) return { code: 'compatibility_character', message: describeVariant(variant) }
  if (STACKED.test(text)) return { code: 'stacked_marks', message: 'has more than two marks on one letter' }
  if (ALLOWED.some((characters) => characters.test(name))) return null
  const scripts = LIVING_SCRIPTS.filter((script) => new RegExp(`\\p{Script=${script}}`, 'u').test(name))
  return { code: 'mixed_scripts', message: describeMixture(scripts) }
}

const EMOJI = /\p{RGI_Emoji}/gv
/** Also the blank of Braille, the object replacement character, and spaces other than the usual and the ideographic one. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800\ufffc]|(?![ \u3000])\p{Z}/u

/** What names consist of, with radicals, which look like the Han characters; other symbols are taken for themselves. */
const WRITTEN = /[\p{L}\p{Nd}\p{Nl}\p{P}\p{Script=Han}]/u
/** Ordinals, and letters that Armenian, Thai, Lao and Korean are written with, although they have another form. */
const USUAL = /[ªº\u0587\u0e33\u0eb3\u0edc\u0edd\u0f0c\u3131-\u318e]/
/** The punctuation of Chinese, Japanese and Korean keyboards, which is usual beside their letters. */
const WIDE = /[\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f]/
const EAST_ASIAN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}]/u

/** Whether a character is another form of one that could stand in its place. */
function isVariant(character: string, name: string): boolean {
  if (character.normalize('NFKC') === character || !WRITTEN.test(character)) return false
  return !USUAL.test(character) && !(WIDE.test(character) && EAST_ASIAN.test(name))
}

/** Marks that belong to no script. The marks of some scripts are stacked in ordinary words. */
const STACKED = /(?:(?=\p{M})\p{Script=Inherited}){3}/u

/** The combinations that Chinese, Japanese and Korean are written in. Source: UTS 39 §5.2. */
const COMBINATIONS = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
]

const classOf = (scripts: readonly string[]) => scripts.map((script) => `\\p{scx=${script}}`).join('')

/** All characters of a name match one of these; historical scripts, which nobody writes in, count as one. */
const ALLOWED = [
  ...[...COMBINATIONS, ...LIVING_SCRIPTS.map((script) => [script])].map(
    (scripts) => new RegExp(`^[${classOf(scripts)}\\p{scx=Common}\\p{scx=Inherited}]*$`, 'u'),
  ),
  new RegExp(`^[^${classOf(LIVING_SCRIPTS)}]*$`, 'u'),
]

const codePointOf = (character: string) =>
  `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`

function describeVariant(character: string): string {
  return `contains ${codePointOf(character)}, another form of “${character.normalize('NFKC')}”, which looks alike; use the usual one`
}

function describeHidden(character: string): string {
  return `contains ${codePointOf(character)}, a character that shows nothing or changes the direction of the text`
}

function describeMixture(scripts: readonly string[]): string {
  const names = scripts.slice(0, SCRIPTS_NAMED).map((script) => script.replaceAll('_', ' '))
  const mixed = names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : 'several'
  return `mixes characters of ${mixed} scripts, which can look alike; use one script, or Latin with Chinese, Japanese or Korean`
}

/** Maximum scripts that a message names. */
const SCRIPTS_NAMED = 3

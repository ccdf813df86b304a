// Own code: no kept library for UTS 39 exists, and the regular expressions of the platform know the scripts.
import { LIVING_SCRIPTS } from './livingScripts.ts'

/** Why a name could be taken for another one; `message` says what is wrong and what is possible. */
export type NameFault = { code: 'invisible_character' | 'mixed_scripts'; message: string }

/**
 * Explains why a name could be taken for another one; null if it could not.
 *
 * It must not contain characters that show nothing or change the direction of others, except within an emoji, and all its
 * letters must be of one script, or of Latin with Chinese, Japanese or Korean. Names in one script that look like another
 * word in another one are allowed, because whole languages look like that.
 *
 * Expects NFC. The restriction level is "highly restrictive" for any script, not for the recommended ones only. Source: UTS
 * 39 §5.2; UAX 24 §5.1.
 */
export function findNameFault(name: string): NameFault | null {
  if (/^[ -~]*$/.test(name)) return null
  const hidden = INVISIBLE.exec(name.replace(EMOJI, ''))?.[0]
  if (hidden !== undefined) return { code: 'invisible_character', message: describeHidden(hidden) }
  if (ALLOWED.some((characters) => characters.test(name))) return null
  const scripts = LIVING_SCRIPTS.filter((script) => new RegExp(`\\p{Script=${script}}`, 'u').test(name))
  return { code: 'mixed_scripts', message: describeMixture(scripts) }
}

const EMOJI = /\p{RGI_Emoji}/gv
/** Also the blank of Braille, and spaces other than the usual and the ideographic one. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]|(?![ \u3000])\p{Z}/u

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

function describeHidden(character: string): string {
  const codePoint = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
  return `contains U+${codePoint}, a character that shows nothing or changes the direction of the text`
}

function describeMixture(scripts: readonly string[]): string {
  const names = scripts.slice(0, SCRIPTS_NAMED).map((script) => script.replaceAll('_', ' '))
  const mixed = names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : 'several'
  return `mixes characters of ${mixed} scripts, which can look alike; use one script, or Latin with Chinese, Japanese or Korean`
}

/** Maximum scripts that a message names. */
const SCRIPTS_NAMED = 3

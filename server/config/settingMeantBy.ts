import { SETTINGS } from './settings.ts'

/**
 * Shorter names are too similar to those of other programs: `API_URL` is no misspelling of `APP_URL`, nor `HOME` of `HOST`.
 */
const SLIP_FROM = 7
const WRONG_LETTER_FROM = 8
/** Every setting may also be in a file that this variable names. */
const SUFFIX = '_FILE'
/** Some settings begin with the name of the service, most do not. */
const PREFIX = 'SVC_'

/**
 * Finds the setting that an environment variable misspells by one edit: a letter too many or missing, two exchanged, or, in
 * long names, one wrong. The same for the
 * `NAME_FILE` of a setting, and for a setting with `SVC_` in front. Null if the name is a setting itself or resembles none.
 *
 * An operator would otherwise rely on a setting that is silently ignored, for example that private addresses are refused.
 */
export function settingMeantBy(name: string): string | null {
  if (name in SETTINGS) return null
  const meant = Object.keys(SETTINGS).find((setting) => isSlipOf(setting, name))
  if (meant) return meant
  if (name.startsWith(PREFIX) && name.slice(PREFIX.length) in SETTINGS) return name.slice(PREFIX.length)
  const inFile = name.endsWith(SUFFIX) ? settingMeantBy(name.slice(0, -SUFFIX.length)) : null
  return inFile === null ? null : `${inFile}${SUFFIX}`
}

function isSlipOf(setting: string, name: string): boolean {
  if (setting.length < SLIP_FROM || Math.abs(setting.length - name.length) > 1) return false
  const at = [...setting].findIndex((letter, nth) => letter !== name[nth])
  if (at < 0) return true
  const [rest, restOfName] = [setting.slice(at), name.slice(at)]
  if (rest.slice(1) === restOfName || rest === restOfName.slice(1)) return true
  if (setting.length >= WRONG_LETTER_FROM && rest.slice(1) === restOfName.slice(1)) return true
  return rest[0] === restOfName[1] && rest[1] === restOfName[0] && rest.slice(2) === restOfName.slice(2)
}

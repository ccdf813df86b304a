import { SETTINGS } from './settings.ts'

/** Shorter names are too near to those of other programs: `API_URL` is no slip of `APP_URL`, nor `HOME` of `HOST`. */
const SLIP_FROM = 7
const WRONG_LETTER_FROM = 8

/**
 * The setting that a name in the environment is one slip away from: a letter too many or missing, two exchanged, or, in
 * names that are long, one wrong. Null for a name that is a setting, or is nobody's.
 *
 * A setting that is passed over in silence is not what its operator relies on, as private addresses being refused.
 */
export function settingMeantBy(name: string): string | null {
  if (name in SETTINGS) return null
  return Object.keys(SETTINGS).find((setting) => isSlipOf(setting, name)) ?? null
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

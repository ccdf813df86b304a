import type { GateSettings } from './gateSettings.ts'
import { parseSetting } from './parseSetting.ts'
import { readCommonSettings } from './readCommonSettings.ts'
import { type GateStart, readValues } from './readValues.ts'
import { SettingsError } from './settingsError.ts'

/**
 * Reads the settings of a gate for any server: flags before environment before the file that `--config` names.
 *
 * @returns null if the help is asked for.
 * @throws SettingsError with a sentence that names the setting.
 */
export function readSettings(start: GateStart): GateSettings | null {
  const given = readValues(start, 'proxy')
  if (given.isHelp) return null
  const { values } = given
  const upstream = values.upstream === undefined ? null : parseSetting.origin('upstream', values.upstream)
  const question = values['forward-auth']
  if ((upstream === null) === (question === undefined)) {
    throw new SettingsError(
      'Set either upstream, for a reverse proxy, or forward-auth, for a proxy that asks.',
    )
  }
  if (question !== undefined && question !== 'headers' && question !== 'request') {
    throw new SettingsError(
      'forward-auth must be "headers" (nginx, Caddy, HAProxy, Traefik) or "request" (Envoy).',
    )
  }
  return { ...readCommonSettings(given), upstream, question: question ?? 'headers' }
}

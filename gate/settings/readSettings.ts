import { BODY_BYTES_MAX } from '@svc/client/gateway/receivedBody.ts'
import type { SignedBodies } from '../proxy/createBodyLimits.ts'
import type { GateSettings } from './gateSettings.ts'
import { parseSetting } from './parseSetting.ts'
import { readCommonSettings } from './readCommonSettings.ts'
import { type GateStart, type GivenValues, readValues } from './readValues.ts'
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
  const common = readCommonSettings(given)
  const signedBodies = readSignedBodies(values, common.gateway.bodyBytesMax ?? BODY_BYTES_MAX)
  return { ...common, upstream, question: question ?? 'headers', signedBodies }
}

const BODIES_BYTES_DEFAULT = 268_435_456

/** @param bytesMax Of a single one. */
function readSignedBodies(values: GivenValues['values'], bytesMax: number): SignedBodies {
  const bytes = String(Math.max(BODIES_BYTES_DEFAULT, bytesMax))
  const { number } = parseSetting
  return {
    waitMs: 1000 * number('signed-body-timeout', values['signed-body-timeout'] ?? '20', 3_600, 1),
    bytesMax: number('signed-bodies-max', values['signed-bodies-max'] ?? bytes, 8_589_934_592, bytesMax),
  }
}

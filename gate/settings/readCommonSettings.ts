import type { CommonSettings } from './gateSettings.ts'
import { parseSetting } from './parseSetting.ts'
import { readFileOrExplain } from './readFileOrExplain.ts'
import type { GivenValues } from './readValues.ts'

/**
 * Reads the settings that every gate has.
 *
 * The API key is never a flag, which other users of the machine could see: it is `SVC_API_KEY`, or in the file that
 * `SVC_API_KEY_FILE` names.
 *
 * @throws SettingsError with a sentence that names the setting.
 */
export function readCommonSettings(given: GivenValues): CommonSettings {
  const { values } = given
  const { required, origin, listenAddress, number } = parseSetting
  return {
    listen: listenAddress('listen', values.listen ?? '127.0.0.1:8081'),
    admin: values.admin === 'off' ? null : listenAddress('admin', values.admin ?? '127.0.0.1:9464'),
    trustProxy: parseSetting.proxies('trust-proxy', values['trust-proxy'] ?? 'false'),
    gateway: {
      apiBaseUrl: parseSetting.api(required('api', values.api)),
      apiKey: readKey(given),
      counterpartyId: parseSetting.endpoint(required('endpoint', values.endpoint)),
      holdStepUpMs: 1000 * number('hold-step-up', values['hold-step-up'] ?? '0', 600),
      ...(values['reuse-grant'] === undefined
        ? {}
        : { reuseGrantSeconds: number('reuse-grant', values['reuse-grant'], 3_600) }),
      ...(values.issuer === undefined ? {} : { issuer: origin('issuer', values.issuer).origin }),
      bodyBytesMax: number('signed-body-max', values['signed-body-max'] ?? '1048576', 1_073_741_824),
    },
    connectMs: 1000 * number('connect-timeout', values['connect-timeout'] ?? '5', 600, 1),
    responseMs: 1000 * number('response-timeout', values['response-timeout'] ?? '60', 86_400, 1),
    graceMs: 1000 * number('grace', values.grace ?? '20', 3_600),
  }
}

function readKey({ env, values, readFile }: GivenValues): string {
  const file = values['api-key-file']
  const key = file === undefined ? env.SVC_API_KEY : readFileOrExplain('api-key-file', file, readFile)
  return parseSetting.required('SVC_API_KEY or SVC_API_KEY_FILE', key?.trim())
}

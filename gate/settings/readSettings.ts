import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import type { GateSettings, ListenAddress } from './gateSettings.ts'
import { SettingsError } from './settingsError.ts'
import { SETTINGS, type SettingName } from './settingTable.ts'

type Values = Partial<Record<SettingName, string>>

/** What the gate is started with. */
export type GateStart = {
  args: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  /** Reads a file as text. */
  readFile?: (path: string) => string
}

const NAMES = Object.keys(SETTINGS) as SettingName[]
const ORIGIN_ONLY = 'must be an origin such as http://127.0.0.1:8080, without a path'

/**
 * Reads the settings: flags before environment before the file that `--config` names.
 *
 * The API key is never a flag, which other users of the machine could see: it is `SVC_API_KEY`, or in the file that
 * `SVC_API_KEY_FILE` names.
 *
 * @returns null if the help is asked for.
 * @throws SettingsError with a sentence that names the setting.
 */
export function readSettings({ args, env, readFile = readText }: GateStart): GateSettings | null {
  const flags = parseFlags(args)
  if (flags.help) return null
  const configFile = flags.values.config ?? env.SVC_GATE_CONFIG
  const values: Values = {
    ...(configFile === undefined ? {} : readConfigFile(configFile, readFile)),
    ...readEnvironment(env),
    ...flags.values,
  }
  const upstream = values.upstream === undefined ? null : parseOrigin('upstream', values.upstream)
  const question = values['forward-auth']
  if ((upstream === null) === (question === undefined)) {
    throw new SettingsError(
      'Set either upstream, for a reverse proxy, or forward-auth, for a proxy that asks.',
    )
  }
  if (question !== undefined && question !== 'headers' && question !== 'request') {
    throw new SettingsError('forward-auth must be "headers" (nginx, Caddy, Traefik) or "request" (Envoy).')
  }
  return {
    listen: parseAddress('listen', values.listen ?? '127.0.0.1:8081'),
    admin: values.admin === 'off' ? null : parseAddress('admin', values.admin ?? '127.0.0.1:9464'),
    upstream,
    question: question ?? 'headers',
    trustProxy: parseSwitch('trust-proxy', values['trust-proxy'] ?? 'false'),
    gateway: {
      apiBaseUrl: parseApi(requireValue('api', values.api)),
      apiKey: readKey(env, values, readFile),
      counterpartyId: parseEndpoint(requireValue('endpoint', values.endpoint)),
      holdStepUpMs: 1000 * parseNumber('hold-step-up', values['hold-step-up'] ?? '0', 600),
      ...(values['reuse-grant'] === undefined
        ? {}
        : { reuseGrantSeconds: parseNumber('reuse-grant', values['reuse-grant'], 3_600) }),
      ...(values.issuer === undefined ? {} : { issuer: parseOrigin('issuer', values.issuer).origin }),
      bodyBytesMax: parseNumber('signed-body-max', values['signed-body-max'] ?? '1048576', 1_073_741_824),
    },
    connectMs: 1000 * parseNumber('connect-timeout', values['connect-timeout'] ?? '5', 600),
    responseMs: 1000 * parseNumber('response-timeout', values['response-timeout'] ?? '60', 86_400),
    graceMs: 1000 * parseNumber('grace', values.grace ?? '20', 3_600),
  }
}

function readText(path: string): string {
  return readFileSync(path, 'utf8')
}

function parseFlags(args: readonly string[]): { help: boolean; values: Values & { config?: string } } {
  const options = Object.fromEntries(
    [...NAMES.filter((name) => SETTINGS[name].isFlag), 'config'].map((name) => [
      name,
      { type: 'string' as const },
    ]),
  )
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { ...options, help: { type: 'boolean', short: 'h' } },
    })
    const { help = false, ...given } = values
    return { help: help === true, values: given as Values & { config?: string } }
  } catch (error) {
    throw new SettingsError(error instanceof Error ? error.message : String(error))
  }
}

function readEnvironment(env: GateStart['env']): Values {
  const found: Values = {}
  for (const name of NAMES) {
    const value = env[SETTINGS[name].variable]
    if (value !== undefined && value !== '') found[name] = value
  }
  return found
}

function readConfigFile(path: string, readFile: (path: string) => string): Values {
  const content: unknown = parseYaml(path, readOrExplain('config', path, readFile))
  if (content === null || typeof content !== 'object' || Array.isArray(content)) {
    throw new SettingsError(`${path} must have settings by name.`)
  }
  const found: Values = {}
  for (const [name, value] of Object.entries(content)) {
    if (!NAMES.includes(name as SettingName))
      throw new SettingsError(`${path} has an unknown setting, "${name}".`)
    if (typeof value === 'object') throw new SettingsError(`${name} in ${path} must be a single value.`)
    found[name as SettingName] = String(value)
  }
  if (found['api-key'] !== undefined) {
    throw new SettingsError(`${path} must not have the key: name its file in api-key-file.`)
  }
  return found
}

function parseYaml(path: string, text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    throw new SettingsError(`${path} is no YAML: ${error instanceof Error ? error.message : error}`)
  }
}

function readKey(env: GateStart['env'], values: Values, readFile: (path: string) => string): string {
  const file = values['api-key-file']
  const key = file === undefined ? env.SVC_API_KEY : readOrExplain('api-key-file', file, readFile)
  return requireValue('SVC_API_KEY or SVC_API_KEY_FILE', key?.trim())
}

function readOrExplain(name: string, path: string, readFile: (path: string) => string): string {
  try {
    return readFile(path)
  } catch (error) {
    throw new SettingsError(
      `${name}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? error}).`,
    )
  }
}

function requireValue(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new SettingsError(`${name} is missing.`)
  return value
}

function parseOrigin(name: string, text: string): URL {
  const url = URL.parse(text)
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  if (!isOrigin) throw new SettingsError(`${name} ${ORIGIN_ONLY}.`)
  return url
}

function parseApi(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || !url.pathname.endsWith('/api')) {
    throw new SettingsError(
      'api must be the address of the service’s API, such as https://registry.example/api.',
    )
  }
  return url.href
}

function parseEndpoint(text: string): string {
  if (!/^SVCE-[\w-]+$/.test(text))
    throw new SettingsError('endpoint must be an identifier that begins with SVCE-.')
  return text
}

function parseAddress(name: string, text: string): ListenAddress {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(text) ?? []
  if (host === undefined || Number(port) > 65_535) {
    throw new SettingsError(`${name} must be a host and a port, such as 127.0.0.1:8081.`)
  }
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
}

function parseSwitch(name: string, text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new SettingsError(`${name} must be true or false.`)
  return text === 'true'
}

function parseNumber(name: string, text: string, max: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (!(value <= max)) throw new SettingsError(`${name} must be a whole number from 0 to ${max}.`)
  return value
}

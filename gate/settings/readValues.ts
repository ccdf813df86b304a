import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readYamlFile } from './readFileOrExplain.ts'
import { SettingsError } from './settingsError.ts'
import { SETTINGS, type Setting, type SettingName, type SettingUse } from './settingTable.ts'

/** What the gate is started with. */
export type GateStart = {
  args: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  /** Reads a file as text. */
  readFile?: (path: string) => string
}

/** The texts of the settings, and how files that they name are read. */
export type GivenValues = {
  isHelp: boolean
  values: Partial<Record<SettingName, string>>
  env: GateStart['env']
  readFile: (path: string) => string
}

type Values = GivenValues['values']

/**
 * Reads the texts of the settings: flags before environment before the file that `--config` names.
 *
 * @param use Which settings exist: those of both uses, and those of this one.
 * @throws SettingsError with a sentence that names the setting.
 */
export function readValues({ args, env, readFile = readText }: GateStart, use: SettingUse): GivenValues {
  const names = (Object.keys(SETTINGS) as SettingName[]).filter((name) => {
    const { only }: Setting = SETTINGS[name]
    return only === undefined || only === use
  })
  const flags = parseFlags(args, names)
  const configFile = flags.values.config ?? env[CONFIG_VARIABLE]
  const isFileRead = !flags.isHelp && configFile !== undefined
  return {
    isHelp: flags.isHelp,
    values: {
      ...(isFileRead ? readConfigFile(configFile, names, readFile) : {}),
      ...(flags.isHelp ? {} : readEnvironment(env, names)),
      ...flags.values,
    },
    env,
    readFile,
  }
}

function readText(path: string): string {
  return readFileSync(path, 'utf8')
}

function parseFlags(
  args: readonly string[],
  names: readonly SettingName[],
): { isHelp: boolean; values: Values & { config?: string } } {
  const options = Object.fromEntries(
    [...names.filter((name) => SETTINGS[name].isFlag), 'config'].map((name) => [
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
    return { isHelp: help === true, values: given as Values & { config?: string } }
  } catch (error) {
    throw new SettingsError(error instanceof Error ? error.message : String(error))
  }
}

const CONFIG_VARIABLE = 'SVC_GATE_CONFIG'
const KNOWN = new Set([CONFIG_VARIABLE, ...Object.values(SETTINGS).map(({ variable }) => variable)])
/** What Kubernetes adds for a Service whose name begins like a variable. Source: Kubernetes, "Service". */
const SERVICE_LINK = { name: /_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_/, value: /^(tcp|udp|sctp):\/\// }

/** A misspelt setting would be ignored, and its default would apply in silence. */
function refuseUnknownNames(env: GateStart['env']): void {
  for (const [name, value = ''] of Object.entries(env)) {
    if (!name.startsWith('SVC_GATE_') || KNOWN.has(name)) continue
    if (SERVICE_LINK.name.test(name) || SERVICE_LINK.value.test(value)) continue
    throw new SettingsError(`${name} is not the variable of any setting.`)
  }
}

function readEnvironment(env: GateStart['env'], names: readonly SettingName[]): Values {
  refuseUnknownNames(env)
  const found: Values = {}
  for (const name of names) {
    const value = env[SETTINGS[name].variable]
    if (value !== undefined && value !== '') found[name] = value
  }
  return found
}

function readConfigFile(
  path: string,
  names: readonly SettingName[],
  readFile: (path: string) => string,
): Values {
  const content = readYamlFile('config', path, readFile)
  if (content === null || typeof content !== 'object' || Array.isArray(content)) {
    throw new SettingsError(`${path} must have settings by name.`)
  }
  const found: Values = {}
  for (const [name, value] of Object.entries(content)) {
    if (!names.includes(name as SettingName))
      throw new SettingsError(`${path} has an unknown setting, "${name}".`)
    if (typeof value === 'object') throw new SettingsError(`${name} in ${path} must be a single value.`)
    found[name as SettingName] = String(value)
  }
  if (found['api-key'] !== undefined) {
    throw new SettingsError(`${path} must not have the key: name its file in api-key-file.`)
  }
  return found
}

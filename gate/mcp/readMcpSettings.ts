import { parseSetting } from '../settings/parseSetting.ts'
import { readCommonSettings } from '../settings/readCommonSettings.ts'
import { readYamlFile } from '../settings/readFileOrExplain.ts'
import { type GateStart, type GivenValues, readValues } from '../settings/readValues.ts'
import { SettingsError } from '../settings/settingsError.ts'
import { DEFAULT_RULES, type McpRules } from './mcpRules.ts'
import type { McpSettings, ServerCommand } from './mcpSettings.ts'
import { readMcpRules } from './readMcpRules.ts'

/**
 * Reads the settings of `svc-gate mcp`: what follows `--` is the command of the server.
 *
 * A gate before a command does not listen on any port, not even for metrics: a client may start several.
 *
 * @param start Its arguments are those after `mcp`.
 * @returns null if the help is asked for.
 * @throws SettingsError with a sentence that names the setting.
 */
export function readMcpSettings(start: GateStart): McpSettings | null {
  const end = start.args.indexOf('--')
  const args = end === -1 ? start.args : start.args.slice(0, end)
  const [command, ...commandArgs] = end === -1 ? [] : start.args.slice(end + 1)
  const given = readValues({ ...start, args }, 'mcp')
  if (given.isHelp) return null
  const { values } = given
  if ((values.upstream === undefined) === (command === undefined)) {
    throw new SettingsError('Set either upstream, or the command of the server after "--".')
  }
  const server = command === undefined ? readAddress(given) : readCommand(given, command, commandArgs)
  const admin = command === undefined ? {} : { admin: 'off' }
  return {
    ...readCommonSettings({ ...given, values: { ...values, ...admin } }),
    server,
    rules: readRules(given),
    messageBytesMax: parseSetting.number('body-max', values['body-max'] ?? '4194304', 1_073_741_824),
  }
}

function readAddress({ values }: GivenValues): URL {
  for (const name of ['agent', 'agent-key-file'] as const) {
    if (values[name] !== undefined) {
      throw new SettingsError(
        `${name} is for the command of a server: over HTTP, callers identify themselves.`,
      )
    }
  }
  return parseSetting.address('upstream', parseSetting.required('upstream', values.upstream))
}

function readCommand({ values }: GivenValues, command: string, args: readonly string[]): ServerCommand {
  const { agent: agentId, 'agent-key-file': agentKeyFile } = values
  if (agentId !== undefined && !/^SVC-[\w-]+$/.test(agentId)) {
    throw new SettingsError('agent must be an identifier that begins with SVC-.')
  }
  if (agentKeyFile !== undefined && agentId === undefined) {
    throw new SettingsError('agent-key-file needs agent: the key signs in its name.')
  }
  return { command, args, agentId, agentKeyFile }
}

function readRules({ values, readFile }: GivenValues): McpRules {
  if (values.rules === undefined) return DEFAULT_RULES
  return readMcpRules(readYamlFile('rules', values.rules, readFile), values.rules)
}

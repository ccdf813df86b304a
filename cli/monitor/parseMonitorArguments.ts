import { parseVerifierKey, type VerifierKey } from '../audit/parseVerifierKey.ts'
import { parseCommandLine } from '../terminal/parseCommandLine.ts'
import { UsageError } from '../terminal/usageError.ts'

/** What to monitor, and where alerts go. */
export type MonitorArguments = {
  /** Base URL without `/api`. */
  service: string
  logId: string | null
  logKey: VerifierKey | null
  chain: { rpc: string; contract: `0x${string}` } | null
  witnesses: VerifierKey[]
  cosignatures: number
  agents: ReadonlySet<string> | null
  receivedFile: string | null
  stateFile: string | null
  webhook: string | null
  mail: string | null
  everyMs: number
  patienceMs: number
  once: boolean
}

const TEXT = { type: 'string' } as const

/** Parses the command line. @throws UsageError for a mistake. */
export function parseMonitorArguments(args: readonly string[]): MonitorArguments {
  const { values } = parseCommandLine(args, {
    ...{ service: TEXT, log: TEXT, 'log-key': TEXT, rpc: TEXT, contract: TEXT, agents: TEXT },
    ...{ received: TEXT, state: TEXT, webhook: TEXT, mail: TEXT, every: TEXT, patience: TEXT },
    witness: { type: 'string', multiple: true },
    cosignatures: TEXT,
    once: { type: 'boolean' },
  })
  const witnesses = (values.witness ?? []).map((text) => parseKey('--witness', text, 'cosignature'))
  const cosignatures = parseNumber('--cosignatures', values.cosignatures, witnesses.length)
  if (cosignatures > witnesses.length)
    throw new UsageError(`--cosignatures ${cosignatures} needs as many --witness KEY`)
  if (new Set(witnesses.map(({ publicKey }) => String(publicKey))).size < witnesses.length)
    throw new UsageError('two --witness have the same key')
  const { log = null, rpc, contract, webhook = null } = values
  if (log !== null && !/^0x[0-9a-f]{64}$/.test(log))
    throw new UsageError('--log must be 0x and 64 hexadecimal digits')
  if ((rpc === undefined) !== (contract === undefined))
    throw new UsageError('--rpc and --contract belong together')
  if (contract !== undefined && !/^0x[0-9a-fA-F]{40}$/.test(contract))
    throw new UsageError('--contract must be an address')
  return {
    service: parseAddress('--service', values.service ?? '').replace(/(\/api)?\/*$/, ''),
    logId: log,
    logKey: values['log-key'] === undefined ? null : parseKey('--log-key', values['log-key'], 'signature'),
    chain:
      rpc === undefined ? null : { rpc: parseAddress('--rpc', rpc), contract: contract as `0x${string}` },
    witnesses,
    cosignatures,
    agents: values.agents === undefined ? null : new Set(values.agents.split(',').map((id) => id.trim())),
    receivedFile: values.received ?? null,
    stateFile: values.state ?? null,
    webhook: webhook === null ? null : parseAddress('--webhook', webhook),
    mail: values.mail ?? null,
    everyMs: parseNumber('--every', values.every, 60) * 1000,
    patienceMs: parseNumber('--patience', values.patience, 600) * 1000,
    once: values.once === true,
  }
}

function parseKey(option: string, text: string, type: VerifierKey['type']): VerifierKey {
  try {
    return parseVerifierKey(text, option, type)
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

function parseAddress(option: string, text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new UsageError(`${option} must be a URL with http:// or https://`)
  return text
}

function parseNumber(option: string, text: string | undefined, byDefault: number): number {
  if (text === undefined) return byDefault
  if (!/^\d{1,6}$/.test(text)) throw new UsageError(`${option} must be a whole number`)
  return Number(text)
}

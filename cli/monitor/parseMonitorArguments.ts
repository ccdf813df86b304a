import type { VerifierKey } from '../audit/parseVerifierKey.ts'
import { parseCommandLine } from '../terminal/parseCommandLine.ts'
import { UsageError } from '../terminal/usageError.ts'
import { parseAddress, parseKey, parseLogIds, parseLogKeys, parseNumber } from './parseOptionValues.ts'

/** What to monitor, and where alerts go. */
export type MonitorArguments = {
  /** Base URL without `/api`. */
  service: string
  /** Ids of the logs to watch; null for all that the service names. */
  logIds: ReadonlySet<string> | null
  /** Keys of logs, by the id of the log. */
  logKeys: ReadonlyMap<string, VerifierKey>
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
  /** How long the checkpoint may be behind the chain, and how old cosignatures may be. */
  maxAgeMs: number
  /** Findings that somebody has seen and that are to be dropped. */
  acknowledged: string[]
  once: boolean
}

const TEXT = { type: 'string' } as const
const TEXTS = { type: 'string', multiple: true } as const
const EVERY_SECONDS = 60
const PATIENCE_SECONDS = 600
const MAX_AGE_SECONDS = 3_600

/** Parses the command line. @throws UsageError for a mistake. */
export function parseMonitorArguments(args: readonly string[]): MonitorArguments {
  const { values } = parseCommandLine(args, {
    ...{ service: TEXT, log: TEXTS, 'log-key': TEXTS, rpc: TEXT, contract: TEXT, agents: TEXT },
    ...{ received: TEXT, state: TEXT, webhook: TEXT, mail: TEXT, every: TEXT, patience: TEXT },
    ...{ witness: TEXTS, cosignatures: TEXT, 'max-age': TEXT, acknowledge: TEXTS },
    once: { type: 'boolean' },
  })
  const witnesses = (values.witness ?? []).map((text) => parseKey('--witness', text, 'cosignature'))
  const cosignatures = parseNumber('--cosignatures', values.cosignatures, witnesses.length)
  if (cosignatures > witnesses.length)
    throw new UsageError(`--cosignatures ${cosignatures} needs as many --witness KEY`)
  if (new Set(witnesses.map(({ publicKey }) => String(publicKey))).size < witnesses.length)
    throw new UsageError('two --witness have the same key')
  const { rpc, contract, webhook = null, acknowledge: acknowledged = [] } = values
  const logIds = parseLogIds(values.log)
  const logKeys = parseLogKeys(values['log-key'] ?? [], logIds)
  if (acknowledged.length > 0 && values.state === undefined)
    throw new UsageError('--acknowledge needs the state file, in --state')
  if ((rpc === undefined) !== (contract === undefined))
    throw new UsageError('--rpc and --contract belong together')
  if (contract !== undefined && !/^0x[0-9a-fA-F]{40}$/.test(contract))
    throw new UsageError('--contract must be an address')
  return {
    service: parseAddress('--service', values.service ?? '').replace(/(\/api)?\/*$/, ''),
    logIds,
    logKeys,
    chain:
      rpc === undefined ? null : { rpc: parseAddress('--rpc', rpc), contract: contract as `0x${string}` },
    witnesses,
    cosignatures,
    agents: values.agents === undefined ? null : new Set(values.agents.split(',').map((id) => id.trim())),
    receivedFile: values.received ?? null,
    stateFile: values.state ?? null,
    webhook: webhook === null ? null : parseAddress('--webhook', webhook),
    mail: values.mail ?? null,
    everyMs: parseNumber('--every', values.every, EVERY_SECONDS, 1) * 1000,
    patienceMs: parseNumber('--patience', values.patience, PATIENCE_SECONDS) * 1000,
    maxAgeMs: parseNumber('--max-age', values['max-age'], MAX_AGE_SECONDS) * 1000,
    acknowledged,
    once: values.once === true,
  }
}

import { parseUnits } from 'viem'
import type { VerifierKey } from '../../cli/audit/parseVerifierKey.ts'
import { parseAddress, parseLogIds, parseLogKeys, parseNumber } from '../../cli/monitor/parseOptionValues.ts'
import { parseCommandLine } from '../../cli/terminal/parseCommandLine.ts'
import { UsageError } from '../../cli/terminal/usageError.ts'

/** What pays for the mirrors, and where. */
export type MirrorNode = {
  rpc: string
  confirmations: number
  /** In wei. */
  maxFeePerGas: bigint
  /** File with the private key; null takes it from the environment. */
  keyFile: string | null
}

export type MirrorArguments = MirrorNode &
  (
    | { kind: 'deploy' }
    | {
        kind: 'mirror'
        /** Base URL without `/api`. */
        service: string
        contract: `0x${string}`
        /** Ids of the logs to mirror; null for all that the service names. */
        logIds: ReadonlySet<string> | null
        logKeys: ReadonlyMap<string, VerifierKey>
        everyMs: number
        once: boolean
      }
  )

const TEXT = { type: 'string' } as const
const TEXTS = { type: 'string', multiple: true } as const
const FLAG = { type: 'boolean' } as const

const EVERY_SECONDS = 300
const CONFIRMATIONS = 12
const MAX_FEE_GWEI = '200'
/** For `--deploy`, which concerns no log. */
const OF_A_LOG = ['service', 'contract', 'log', 'log-key', 'every', 'once'] as const

/** Parses the command line. @throws UsageError for a mistake. */
export function parseMirrorArguments(args: readonly string[]): MirrorArguments {
  const { values } = parseCommandLine(args, {
    ...{ service: TEXT, rpc: TEXT, contract: TEXT, log: TEXTS, 'log-key': TEXTS, every: TEXT, once: FLAG },
    ...{ deploy: FLAG, 'key-file': TEXT, confirmations: TEXT, 'max-fee': TEXT },
  })
  const node: MirrorNode = {
    rpc: parseAddress('--rpc', values.rpc ?? ''),
    confirmations: parseNumber('--confirmations', values.confirmations, CONFIRMATIONS, 1),
    maxFeePerGas: parseFee(values['max-fee'] ?? MAX_FEE_GWEI),
    keyFile: values['key-file'] ?? null,
  }
  if (values.deploy === true) {
    const extra = OF_A_LOG.find((name) => values[name] !== undefined)
    if (extra !== undefined) throw new UsageError(`--deploy does not take --${extra}`)
    return { ...node, kind: 'deploy' }
  }
  const { contract = '' } = values
  if (!/^0x[0-9a-fA-F]{40}$/.test(contract))
    throw new UsageError('--contract must be the address of an AuditLog contract: deploy one with --deploy')
  const logIds = parseLogIds(values.log)
  return {
    ...node,
    kind: 'mirror',
    service: parseAddress('--service', values.service ?? '').replace(/(\/api)?\/*$/, ''),
    contract: contract as `0x${string}`,
    logIds,
    logKeys: parseLogKeys(values['log-key'] ?? [], logIds),
    everyMs: parseNumber('--every', values.every, EVERY_SECONDS, 1) * 1000,
    once: values.once === true,
  }
}

function parseFee(gwei: string): bigint {
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(gwei)) throw new UsageError('--max-fee must be a number of gwei')
  return parseUnits(gwei, 9)
}

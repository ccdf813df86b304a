import { parseArgs } from 'node:util'
import { isMirrorOf } from '@svc/core/audit/mirrorId.ts'
import { parseVerifierKey, type VerifierKey } from './parseVerifierKey.ts'

type Hex = `0x${string}`

/** A point in time of the log: a batch on chain, or a saved document. */
export type PointSource = { kind: 'batch'; batch: number } | { kind: 'document'; source: string }

/** Where the proof between two points comes from: the service, or a saved document. */
type GrowthSource = { kind: 'registry' | 'document'; source: string }

/** What to check. */
export type AuditTask =
  | { kind: 'head' }
  /** `isReceipt`: the document must contain the receipt of the record. */
  | { kind: 'record'; source: string; isReceipt: boolean }
  /** `range` holds the record numbers, both inclusive, that must all be present; null checks only the records present. */
  | {
      kind: 'export'
      file: string
      range: { first: number; last: number | null } | null
      /** Where the identifiers of records are that must be present, one a line; null without any. */
      received: string | null
    }
  /** Without `from`, the saved proof names it; without `to`, the saved proof names it or it is the head. */
  | { kind: 'growth'; from: PointSource | null; to: PointSource | null; proof: GrowthSource }

/** What to check, and against what. */
export type AuditArguments = {
  rpc: string
  log: Hex
  /** Null if the caller does not know it; the address in the proof is then used, with a warning. */
  contract: Hex | null
  /** What `log` is a mirror of, and the service that proves how it grew, null without one; null if it is the log itself. */
  mirror: { of: Hex; registry: string | null } | null
  /** Key that must have signed the checkpoints; null skips the check of signatures. */
  logKey: VerifierKey | null
  /** Where the hand-overs of that key are; null accepts only the key itself. */
  handovers: string | null
  /** Who must have issued receipts; null accepts anybody. */
  issuer: string | null
  /** Where the keys of that issuer are; null takes those that it publishes. */
  issuerKeys: string | null
  isJson: boolean
  task: AuditTask
}

type Parsed =
  | { kind: 'arguments'; arguments: AuditArguments }
  | { kind: 'help' }
  | { kind: 'mistake'; message: string }

const TEXT_OPTIONS = [
  ...['rpc', 'log', 'contract', 'record', 'receipt', 'export', 'range', 'received'],
  ...['from', 'to', 'from-batch', 'to-batch', 'registry', 'consistency', 'log-key', 'handovers'],
  ...['issuer', 'issuer-keys', 'mirror-of'],
] as const
type Values = { [Name in (typeof TEXT_OPTIONS)[number]]?: string } & { json?: boolean; help?: boolean }

/** Parses the command line. */
export function parseAuditArguments(args: string[]): Parsed {
  try {
    const text = Object.fromEntries(TEXT_OPTIONS.map((name) => [name, { type: 'string' }] as const))
    const flags = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const
    const values: Values = parseArgs({ args, options: { ...text, ...flags } }).values
    return values.help === true ? { kind: 'help' } : { kind: 'arguments', arguments: readArguments(values) }
  } catch (error) {
    return { kind: 'mistake', message: error instanceof Error ? error.message : String(error) }
  }
}

function readArguments(values: Values): AuditArguments {
  const { rpc = '' } = values
  const log = values.log?.toLowerCase() ?? ''
  const contract = values.contract?.toLowerCase() ?? null
  if (!isWebAddress(rpc)) throw new Error('--rpc must be the URL of a node, with http:// or https://')
  if (!isHex(log, 32)) throw new Error('--log must be 0x and 64 hexadecimal digits')
  if (contract !== null && !isHex(contract, 20)) throw new Error('--contract must be an address')
  const mirror = readMirror(values, log)
  const task = readTask(values)
  if (contract === null && mirror !== null)
    throw new Error('--mirror-of requires --contract: a proof names the contract of the mirrored log')
  if (contract === null && (task.kind === 'head' || task.kind === 'growth')) {
    throw new Error('--contract is required unless you check a record or an export')
  }
  const logKey = values['log-key'] === undefined ? null : parseVerifierKey(values['log-key'])
  const handovers = values.handovers ?? null
  if (handovers !== null && logKey === null) throw new Error('--handovers requires --log-key')
  const issuer = values.issuer?.replace(/\/+$/, '') ?? null
  const issuerKeys = values['issuer-keys'] ?? null
  if (issuer !== null && !isWebAddress(issuer))
    throw new Error('--issuer must be a URL with http:// or https://')
  if ((issuer ?? issuerKeys) !== null && task.kind !== 'record' && task.kind !== 'export')
    throw new Error('--issuer and --issuer-keys require --receipt, --record or --export')
  const isJson = values.json === true
  return { rpc, log, contract, mirror, logKey, handovers, issuer, issuerKeys, isJson, task }
}

function readMirror(values: Values, log: string): AuditArguments['mirror'] {
  const of = values['mirror-of']?.toLowerCase()
  if (of === undefined) return null
  if (!isHex(of, 32)) throw new Error('--mirror-of must be 0x and 64 hexadecimal digits')
  if (!isMirrorOf(log, of)) throw new Error(`--log ${log} is not the id of a mirror of ${of}`)
  return { of, registry: values.registry ?? null }
}

function readTask(values: Values): AuditTask {
  const { record, receipt, export: file, consistency } = values
  // With a mirror, the service also proves how the log of a record grew.
  const isForRecords = values['mirror-of'] !== undefined && (record ?? receipt ?? file) !== undefined
  if (values.registry !== undefined && !isWebAddress(values.registry))
    throw new Error('--registry must be a URL with http:// or https://')
  const registry = isForRecords ? undefined : values.registry
  const from = readPointSource(values, 'from')
  const to = readPointSource(values, 'to')
  const isGrowth = [from, to, registry, consistency].some((value) => value !== null && value !== undefined)
  if ([record, receipt, file].filter((value) => value !== undefined).length + Number(isGrowth) > 1) {
    throw new Error('choose one of --record, --receipt, --export and two points in time')
  }
  if (values.range !== undefined && file === undefined) throw new Error('--range requires --export')
  if (values.received !== undefined && file === undefined) throw new Error('--received requires --export')
  if (record !== undefined) return { kind: 'record', source: record, isReceipt: false }
  if (receipt !== undefined) return { kind: 'record', source: receipt, isReceipt: true }
  if (file !== undefined) {
    return { kind: 'export', file, range: parseRange(values.range), received: values.received ?? null }
  }
  if (!isGrowth) return { kind: 'head' }
  if ((registry === undefined) === (consistency === undefined)) {
    throw new Error('two points in time require a proof: either --registry URL or --consistency FILE')
  }
  if (from === null && registry !== undefined) {
    throw new Error('the earlier point in time is missing: --from or --from-batch')
  }
  const proof: GrowthSource =
    registry === undefined
      ? { kind: 'document', source: consistency ?? '' }
      : { kind: 'registry', source: registry }
  return { kind: 'growth', from, to, proof }
}

function readPointSource(values: Values, end: 'from' | 'to'): PointSource | null {
  const source = values[end]
  const batch = values[`${end}-batch`]
  if (source !== undefined && batch !== undefined) throw new Error(`choose either --${end} or --${end}-batch`)
  if (source !== undefined) return { kind: 'document', source }
  if (batch === undefined) return null
  if (!/^[1-9]\d{0,14}$/.test(batch)) throw new Error(`--${end}-batch must be a batch number, starting at 1`)
  return { kind: 'batch', batch: Number(batch) }
}

function parseRange(text: string | undefined): { first: number; last: number | null } | null {
  if (text === undefined) return null
  const [, first, last] = /^(\d{1,15})-(\d{1,15})?$/.exec(text) ?? []
  const range = { first: Number(first), last: last === undefined ? null : Number(last) }
  if (first === undefined || (range.last !== null && range.last < range.first)) {
    throw new Error('--range must be FIRST-LAST, or FIRST- for everything up to the newest anchored record')
  }
  return range
}

/** Parsing is not enough: `localhost:3000` is a URL with the scheme `localhost`. */
function isWebAddress(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text)
}

function isHex(text: string, bytes: number): text is Hex {
  return text.length === 2 + bytes * 2 && /^0x[0-9a-f]+$/.test(text)
}

import { parseArgs } from 'node:util'
import { parseVerifierKey, type VerifierKey } from './parseVerifierKey.ts'

type Hex = `0x${string}`

/** A point in time of the log: a batch of the chain's, or a document that was kept. */
export type PointSource = { kind: 'batch'; batch: number } | { kind: 'document'; source: string }

/** Where the proof between two points comes from: the service is asked, or it was kept. */
export type GrowthSource = { kind: 'registry' | 'document'; source: string }

/** What is to be checked. */
export type AuditTask =
  | { kind: 'head' }
  | { kind: 'record'; source: string }
  /** `range` are the places of the log, both included, that have to be there; null asks only about what is. */
  | { kind: 'export'; file: string; range: { first: number; last: number | null } | null }
  /** A point left out is, of the first, that of the document of the proof, and of the second the head. */
  | { kind: 'growth'; from: PointSource | null; to: PointSource | null; proof: GrowthSource }

/** What is to be checked, and against what. */
export type AuditArguments = {
  rpc: string
  log: Hex
  /** Null when the caller does not know it from elsewhere; the proof's own word is then taken, and said so. */
  contract: Hex | null
  /** Key that checkpoints have to be signed with; null when signatures are nothing to the caller. */
  logKey: VerifierKey | null
  isJson: boolean
  task: AuditTask
}

type Parsed =
  | { kind: 'arguments'; arguments: AuditArguments }
  | { kind: 'help' }
  | { kind: 'mistake'; message: string }

const TEXT_OPTIONS = [
  ...['rpc', 'log', 'contract', 'record', 'export', 'range'],
  ...['from', 'to', 'from-batch', 'to-batch', 'registry', 'consistency', 'log-key'],
] as const
type Values = { [Name in (typeof TEXT_OPTIONS)[number]]?: string } & { json?: boolean; help?: boolean }

/** Reads the command line. */
export function parseAuditArguments(words: string[]): Parsed {
  try {
    const text = Object.fromEntries(TEXT_OPTIONS.map((name) => [name, { type: 'string' }] as const))
    const flags = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const
    const values: Values = parseArgs({ args: words, options: { ...text, ...flags } }).values
    return values.help === true ? { kind: 'help' } : { kind: 'arguments', arguments: argumentsOf(values) }
  } catch (error) {
    return { kind: 'mistake', message: error instanceof Error ? error.message : String(error) }
  }
}

function argumentsOf(values: Values): AuditArguments {
  const { rpc = '' } = values
  const log = values.log?.toLowerCase() ?? ''
  const contract = values.contract?.toLowerCase() ?? null
  if (!isWebAddress(rpc)) throw new Error('--rpc has to be the address of a node, with http:// or https://')
  if (!isHex(log, 32)) throw new Error('--log has to be 0x and 64 hexadecimal digits')
  if (contract !== null && !isHex(contract, 20)) throw new Error('--contract has to be an address')
  const task = taskOf(values)
  if (contract === null && (task.kind === 'head' || task.kind === 'growth')) {
    throw new Error('--contract is needed, unless a record or an export is checked')
  }
  const logKey = values['log-key'] === undefined ? null : parseVerifierKey(values['log-key'])
  return { rpc, log, contract, logKey, isJson: values.json === true, task }
}

function taskOf(values: Values): AuditTask {
  const { record, export: file, registry, consistency } = values
  const from = pointOf(values, 'from')
  const to = pointOf(values, 'to')
  const isGrowth = [from, to, registry, consistency].some((value) => value !== null && value !== undefined)
  if ([record !== undefined, file !== undefined, isGrowth].filter(Boolean).length > 1) {
    throw new Error('--record, --export and two points in time exclude one another')
  }
  if (values.range !== undefined && file === undefined) throw new Error('--range belongs to --export')
  if (record !== undefined) return { kind: 'record', source: record }
  if (file !== undefined) return { kind: 'export', file, range: rangeOf(values.range) }
  if (!isGrowth) return { kind: 'head' }
  if ((registry === undefined) === (consistency === undefined)) {
    throw new Error('two points in time need their proof: --registry URL or --consistency FILE')
  }
  if (registry !== undefined && !isWebAddress(registry)) {
    throw new Error('--registry has to be an address, with http:// or https://')
  }
  if (from === null && registry !== undefined) {
    throw new Error('--from or --from-batch is needed: the earlier point in time')
  }
  const proof: GrowthSource =
    registry === undefined
      ? { kind: 'document', source: consistency ?? '' }
      : { kind: 'registry', source: registry }
  return { kind: 'growth', from, to, proof }
}

function pointOf(values: Values, end: 'from' | 'to'): PointSource | null {
  const source = values[end]
  const batch = values[`${end}-batch`]
  if (source !== undefined && batch !== undefined)
    throw new Error(`--${end} and --${end}-batch exclude one another`)
  if (source !== undefined) return { kind: 'document', source }
  if (batch === undefined) return null
  if (!/^[1-9]\d{0,14}$/.test(batch))
    throw new Error(`--${end}-batch has to be the number of a batch, from 1`)
  return { kind: 'batch', batch: Number(batch) }
}

function rangeOf(text: string | undefined): { first: number; last: number | null } | null {
  if (text === undefined) return null
  const [, first, last] = /^(\d{1,15})-(\d{1,15})?$/.exec(text) ?? []
  const range = { first: Number(first), last: last === undefined ? null : Number(last) }
  if (first === undefined || (range.last !== null && range.last < range.first)) {
    throw new Error('--range has to be FIRST-LAST, or FIRST- up to the newest anchored record')
  }
  return range
}

/** Not whatever can be parsed: `localhost:3000` is a URL of the scheme `localhost`. */
function isWebAddress(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text)
}

function isHex(text: string, bytes: number): text is Hex {
  return text.length === 2 + bytes * 2 && /^0x[0-9a-f]+$/.test(text)
}

import { parseArgs } from 'node:util'

type Hex = `0x${string}`

/** What is to be checked, and against what. */
export type AuditArguments = {
  rpc: string
  log: Hex
  /** Null when the caller does not know it from elsewhere; the proof's own word is then taken, and said so. */
  contract: Hex | null
  /** File or address of one proof document; null for none. */
  record: string | null
  /** File of an export; null for none. */
  exportFile: string | null
}

type Parsed =
  | { kind: 'arguments'; arguments: AuditArguments }
  | { kind: 'help' }
  | { kind: 'mistake'; message: string }

export const USAGE = `Checks audit records against the chain, trusting nothing of the service that wrote them.

  npm run verify-audit -- --rpc URL --log ID [--contract ADDRESS] [--record FILE|URL | --export FILE]

  --rpc URL           JSON-RPC address of a node you trust
  --log ID            id of the audit log: 0x and 64 hexadecimal digits
  --contract ADDRESS  address of the AuditLog contract, as you know it independently of the proof
  --record FILE|URL   a proof document: the answer of GET /api/audit/records/:id/proof, or its address
  --export FILE       an export: the JSON Lines of GET /api/audit/export

Without --record and --export it shows where the log stands (then --contract is needed).`

/** Reads the command line. */
export function parseAuditArguments(words: string[]): Parsed {
  let values: Record<string, string | boolean | undefined>
  try {
    values = parseArgs({
      args: words,
      options: {
        rpc: { type: 'string' },
        log: { type: 'string' },
        contract: { type: 'string' },
        record: { type: 'string' },
        export: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values
  } catch (error) {
    return mistake(error instanceof Error ? error.message : String(error))
  }
  if (values.help === true) return { kind: 'help' }
  const rpc = textOf(values.rpc)
  const log = textOf(values.log)?.toLowerCase() ?? null
  const contract = textOf(values.contract)?.toLowerCase() ?? null
  const record = textOf(values.record)
  const exportFile = textOf(values.export)
  if (rpc === null || !URL.canParse(rpc)) return mistake('--rpc has to be the address of a node')
  if (!isHex(log, 32)) return mistake('--log has to be 0x and 64 hexadecimal digits')
  if (contract !== null && !isHex(contract, 20)) return mistake('--contract has to be an address')
  if (record !== null && exportFile !== null) return mistake('--record and --export exclude one another')
  if (record === null && exportFile === null && contract === null) {
    return mistake('--contract is needed to show where a log stands')
  }
  return { kind: 'arguments', arguments: { rpc, log, contract, record, exportFile } }
}

function mistake(message: string): Parsed {
  return { kind: 'mistake', message }
}

function textOf(value: string | boolean | undefined): string | null {
  return typeof value === 'string' ? value : null
}

function isHex(text: string | null, bytes: number): text is Hex {
  return text !== null && text.length === 2 + bytes * 2 && /^0x[0-9a-f]+$/.test(text)
}

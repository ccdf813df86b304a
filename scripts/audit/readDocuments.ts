import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { type ProofDocument, proofDocument } from '@svc/core/audit/proofDocument.ts'

/** One document that is to be checked, or why it is none. */
export type ReadDocument = {
  /** What to call it in the report. */
  name: string
  document: ProofDocument | null
  fault: string | null
  /** What the document says beside its proof, to be compared with the entry; null where it says nothing. */
  claims: { recordId: string | null; seq: number | null; eventType: string | null }
}

const TIMEOUT_MS = 10_000
const NO_CLAIMS = { recordId: null, seq: null, eventType: null }

/**
 * Reads one proof document from a file or an address.
 *
 * An address that names a record has to answer with the proof of that record and no other.
 *
 * @throws Error whose message is a sentence for the auditor.
 */
export async function readRecord(source: string): Promise<ReadDocument> {
  if (!/^https?:\/\//.test(source)) return documentOf(source, await textOfFile(source))
  const response = await fetch(source, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((cause) => {
    throw new Error(`Nothing answers at ${source}.`, { cause })
  })
  const text = await response.text()
  if (!response.ok) {
    const code = membersOf(text)?.code
    throw new Error(`${source} answers ${response.status}${typeof code === 'string' ? ` ${code}` : ''}.`)
  }
  const read = documentOf(source, text)
  const named = /\/records\/([^/?#]+)/.exec(new URL(source).pathname)?.[1] ?? null
  return { ...read, claims: { ...read.claims, recordId: named ?? read.claims.recordId } }
}

/** Reads the lines of an export one by one, so that its size does not matter. */
export async function* readExport(file: string): AsyncGenerator<ReadDocument> {
  let number = 0
  try {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      number += 1
      if (line !== '') yield documentOf(`line ${number}`, line)
    }
  } catch (cause) {
    throw new Error(`${file} cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

async function textOfFile(file: string): Promise<string> {
  let text = ''
  try {
    for await (const part of createReadStream(file, 'utf8')) text += part
  } catch (cause) {
    throw new Error(`${file} cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
  return text
}

function documentOf(name: string, text: string): ReadDocument {
  const members = membersOf(text)
  if (members === null) return { name, document: null, fault: 'it is not a JSON object', claims: NO_CLAIMS }
  const parsed = proofDocument.safeParse(members)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const fault = `it is not a proof document: ${issue?.path.join('.')}: ${issue?.message}`
    return { name, document: null, fault, claims: NO_CLAIMS }
  }
  return { name, document: parsed.data, fault: null, claims: claimsOf(members) }
}

function claimsOf({ recordId, seq, event }: Record<string, unknown>): ReadDocument['claims'] {
  const eventType =
    typeof event === 'object' && event !== null && 'eventType' in event ? event.eventType : null
  return {
    recordId: typeof recordId === 'string' ? recordId : null,
    seq: typeof seq === 'number' ? seq : null,
    eventType: typeof eventType === 'string' ? eventType : null,
  }
}

function membersOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

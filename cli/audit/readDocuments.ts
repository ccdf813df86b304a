import type { Checkpoint } from '@svc/core/audit/checkpoint.ts'
import { type ProofDocument, proofDocument } from '@svc/core/audit/proofDocument.ts'
import { parseTlogProof, TLOG_PROOF_HEADER } from '@svc/core/audit/tlogProof.ts'
import { parseJsonObject } from '@svc/core/parseJsonObject.ts'
import type { Claims } from './findClaimFault.ts'
import { readLines } from './readLines.ts'
import { isUrl, readSource } from './readSource.ts'

/** Windows writes it at the beginning of a file. */
const BYTE_ORDER_MARK = /^\ufeff/

/** One document to check, or why it is not a proof document. */
export type ReadDocument = {
  /** Its name in the report. */
  name: string
  document: ProofDocument | null
  fault: string | null
  /** The head that the log signed; null for a JSON document, which has no signature. */
  checkpoint: Checkpoint | null
  /** Members next to the proof, to be compared with the entry. */
  claims: Claims
}

/**
 * Reads one proof document from a file or a URL.
 *
 * A URL that names a record must return the proof of that record.
 *
 * @throws Error with a message for the auditor.
 */
export async function readRecord(source: string): Promise<ReadDocument> {
  const read = parseDocument(source, await readSource(source, 'proof'))
  const named = isUrl(source) ? findRecordId(source) : null
  return named === null ? read : { ...read, claims: { ...read.claims, recordId: named } }
}

/** @throws Error for an identifier that is wrongly percent-encoded. */
function findRecordId(address: string): string | null {
  const encoded = /\/records\/([^/?#]+)/.exec(new URL(address).pathname)?.[1]
  try {
    return encoded === undefined ? null : decodeURIComponent(encoded)
  } catch (cause) {
    throw new Error(`${address} names no record: its identifier is not percent-encoded UTF-8.`, { cause })
  }
}

/** Reads the lines of an export one by one, so that it can be of any size. */
export async function* readExport(file: string): AsyncGenerator<ReadDocument> {
  let number = 0
  try {
    for await (const line of readLines(file)) {
      number += 1
      if (line.trim() !== '') yield parseDocument(`line ${number}`, line.replace(BYTE_ORDER_MARK, ''))
    }
  } catch (cause) {
    throw new Error(`${file} cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

/** Parses one proof document, JSON or text. @param name Its name in the report. */
export function parseDocument(name: string, text: string): ReadDocument {
  if (text.startsWith(TLOG_PROOF_HEADER)) return parseTextDocument(name, text)
  const members = parseJsonObject(text)
  if (members === null) {
    // No JSON text has this character, but half of the bytes of UTF-16 are it, which some shells write into files.
    const isUtf8 = !text.includes('\0')
    return rejectDocument(name, isUtf8 ? 'it is not a JSON object' : 'it is not in UTF-8, perhaps in UTF-16')
  }
  const parsed = proofDocument.safeParse(members)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    return rejectDocument(name, `it is not a proof document: ${issue?.path.join('.')}: ${issue?.message}`)
  }
  return { name, document: parsed.data, fault: null, checkpoint: null, claims: members }
}

function parseTextDocument(name: string, text: string): ReadDocument {
  const parsed = parseTlogProof(text)
  if (!parsed.ok) return rejectDocument(name, `it is not a proof of an audit log: ${parsed.reason}`)
  const { document, checkpoint } = parsed
  return { name, document, fault: null, checkpoint, claims: {} }
}

function rejectDocument(name: string, fault: string): ReadDocument {
  return { name, document: null, fault, checkpoint: null, claims: {} }
}

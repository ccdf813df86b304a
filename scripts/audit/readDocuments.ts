import type { Checkpoint } from '@svc/core/audit/checkpoint.ts'
import { type ProofDocument, proofDocument } from '@svc/core/audit/proofDocument.ts'
import { parseTlogProof, TLOG_PROOF_HEADER } from '@svc/core/audit/tlogProof.ts'
import { parseJsonObject } from '../parseJsonObject.ts'
import { readLines } from '../readLines.ts'
import type { Claims } from './findClaimFault.ts'
import { BYTE_ORDER_MARK, readSource } from './readSource.ts'

/** One document that is to be checked, or why it is none. */
export type ReadDocument = {
  /** What to call it in the report. */
  name: string
  document: ProofDocument | null
  fault: string | null
  /** The head that its log signed; null for a document in JSON, which carries no signature. */
  checkpoint: Checkpoint | null
  /** What the document says beside its proof, to be compared with the entry. */
  claims: Claims
}

/**
 * Reads one proof document from a file or an address.
 *
 * An address that names a record has to answer with the proof of that record and no other.
 *
 * @throws Error whose message is a sentence for the auditor.
 */
export async function readRecord(source: string): Promise<ReadDocument> {
  const read = documentOf(source, await readSource(source))
  if (!/^https?:\/\//.test(source)) return read
  const named = /\/records\/([^/?#]+)/.exec(new URL(source).pathname)?.[1] ?? null
  return named === null ? read : { ...read, claims: { ...read.claims, recordId: named } }
}

/** Reads the lines of an export one by one, so that its size does not matter. */
export async function* readExport(file: string): AsyncGenerator<ReadDocument> {
  let number = 0
  try {
    for await (const line of readLines(file)) {
      number += 1
      if (line.trim() !== '') yield documentOf(`line ${number}`, line.replace(BYTE_ORDER_MARK, ''))
    }
  } catch (cause) {
    throw new Error(`${file} cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

function documentOf(name: string, text: string): ReadDocument {
  if (text.startsWith(TLOG_PROOF_HEADER)) return textDocumentOf(name, text)
  const members = parseJsonObject(text)
  if (members === null) return noDocument(name, 'it is not a JSON object')
  const parsed = proofDocument.safeParse(members)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    return noDocument(name, `it is not a proof document: ${issue?.path.join('.')}: ${issue?.message}`)
  }
  return { name, document: parsed.data, fault: null, checkpoint: null, claims: members }
}

function textDocumentOf(name: string, text: string): ReadDocument {
  const parsed = parseTlogProof(text)
  if (!parsed.ok) return noDocument(name, `it is not a proof of an audit log: ${parsed.reason}`)
  const { document, checkpoint } = parsed
  return { name, document, fault: null, checkpoint, claims: {} }
}

function noDocument(name: string, fault: string): ReadDocument {
  return { name, document: null, fault, checkpoint: null, claims: {} }
}

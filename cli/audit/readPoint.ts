import { findLineEndFault, NOTE_CHARACTERS_MAX, parseCheckpoint } from '@svc/core/audit/checkpoint.ts'
import { parseTlogProof } from '@svc/core/audit/tlogProof.ts'
import { parseJson } from '@svc/core/parseJson.ts'
import { z } from 'zod'
import { findCheckpointFault } from './findCheckpointFault.ts'
import type { VerifierKey } from './parseVerifierKey.ts'
import { readSource } from './readSource.ts'

/** A saved point in time: the root that the log had at a size. */
export type SavedPoint = {
  size: number
  root: string
  /** Null if the document does not contain it. */
  batch: number | null
  logId: string | null
}

/** `isSigned`: whether the document has a signature, which is checked if a key is given. */
type Read = { ok: true; point: SavedPoint; isSigned: boolean } | { ok: false; reason: string }

const hash = z.string().regex(/^0x[0-9a-f]{64}$/)
const whole = z.int().min(1)

/** The documents that contain a head: a proof, a batch from the API, the output of `--json`. */
const documents = [
  z
    .object({ treeSize: whole, root: hash, batch: whole, logId: hash })
    .transform(({ treeSize, ...rest }) => ({ size: treeSize, ...rest })),
  z
    .object({ batch: z.object({ number: whole, newSize: whole, root: hash }) })
    .transform(({ batch }) => ({ size: batch.newSize, root: batch.root, batch: batch.number, logId: null })),
  z
    .object({ facts: z.object({ log: hash, head: z.object({ batch: whole, size: whole, root: hash }) }) })
    .transform(({ facts }) => ({ ...facts.head, logId: facts.log })),
]

/**
 * Reads a point in time from a saved document.
 *
 * Only the head is read; the chain decides whether it was anchored. A checkpoint must be of the log and, if a key is given,
 * be signed with it.
 *
 * @throws Error if the document cannot be read.
 */
export async function readPoint(source: string, logId: string, logKey: VerifierKey | null): Promise<Read> {
  const text = await readSource(source, 'proof')
  const proof = parseTlogProof(text)
  const checkpoint = proof.ok ? proof.checkpoint : parseCheckpoint(text)
  if (checkpoint !== null) {
    const fault = findCheckpointFault(checkpoint, logId, logKey)
    if (fault !== null) return { ok: false, reason: fault }
    const { size, root } = checkpoint
    const of = proof.ok
      ? { batch: proof.document.batch, logId: proof.document.logId }
      : { batch: null, logId }
    return { ok: true, point: { size, root, ...of }, isSigned: true }
  }
  const value = parseJson(text)
  for (const document of documents) {
    const { success, data } = document.safeParse(value)
    if (success) return { ok: true, point: data, isSigned: false }
  }
  return { ok: false, reason: describeFault(text, value === null) }
}

/** A text that is not JSON was meant to be a note. */
function describeFault(text: string, isNote: boolean): string {
  if (isNote && text.length > NOTE_CHARACTERS_MAX)
    return `it is longer than ${NOTE_CHARACTERS_MAX} characters, the most of a checkpoint`
  return (isNote ? findLineEndFault(text) : null) ?? 'it contains no head of a log'
}

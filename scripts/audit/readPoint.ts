import { parseCheckpoint } from '@svc/core/audit/checkpoint.ts'
import { parseTlogProof } from '@svc/core/audit/tlogProof.ts'
import { z } from 'zod'
import { findCheckpointFault } from './findCheckpointFault.ts'
import type { VerifierKey } from './parseVerifierKey.ts'
import { readSource } from './readSource.ts'

/** What somebody kept of a point in time: that the log had this root at this size. */
export type KeptPoint = {
  size: number
  root: string
  /** Null where the document does not say. */
  batch: number | null
  logId: string | null
}

type Read = { ok: true; point: KeptPoint } | { ok: false; reason: string }

const hash = z.string().regex(/^0x[0-9a-f]{64}$/)
const whole = z.int().min(1)

/** The documents that name a head: a proof, a batch as the service shows it, what `--json` printed. */
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
 * Reads a point in time out of a document that somebody kept.
 *
 * Only its head is looked at; the chain says whether it was anchored. A checkpoint has to be of the log and, with a key,
 * signed.
 *
 * @throws Error when it cannot be read at all.
 */
export async function readPoint(source: string, logId: string, logKey: VerifierKey | null): Promise<Read> {
  const text = await readSource(source)
  const proof = parseTlogProof(text)
  const checkpoint = proof.ok ? proof.checkpoint : parseCheckpoint(text)
  if (checkpoint !== null) {
    const fault = findCheckpointFault(checkpoint, logId, logKey)
    if (fault !== null) return { ok: false, reason: fault }
    const { size, root } = checkpoint
    const of = proof.ok
      ? { batch: proof.document.batch, logId: proof.document.logId }
      : { batch: null, logId }
    return { ok: true, point: { size, root, ...of } }
  }
  const value = jsonOf(text)
  for (const document of documents) {
    const { success, data } = document.safeParse(value)
    if (success) return { ok: true, point: data }
  }
  return { ok: false, reason: 'it names no head of a log' }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

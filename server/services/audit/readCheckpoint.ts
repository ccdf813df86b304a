import { writeCheckpointText } from '@svc/core/audit/checkpoint.ts'
import type { ResultOf } from '@svc/core/contract/operations.ts'
import { apiError } from '../../errors.ts'
import type { NoteSigner } from '../../external/keys/noteSigner.ts'
import { findNewestAnchor, type NewestAnchorDeps } from './sealBatch.ts'

export type ReadCheckpointDeps = {
  anchors: NewestAnchorDeps & { batchSeconds: number }
  checkpoints: CosignedCheckpointDeps
}

/**
 * Returns the signed checkpoint of the newest head that is final on chain, with the cosignatures that witnesses have given.
 *
 * @throws ApiError NOT_ANCHORED_YET while no batch is final. Source: C2SP tlog-checkpoint.
 */
export async function readCheckpoint({ anchors, checkpoints }: ReadCheckpointDeps): Promise<string> {
  const anchor = await findNewestAnchor(anchors)
  if (anchor === null) {
    throw apiError('NOT_ANCHORED_YET', {
      message: 'Nothing is anchored yet; ask again after `Retry-After`.',
      headers: { 'Retry-After': String(anchors.batchSeconds) },
    })
  }
  const { batch, deployment } = anchor
  const head = { logId: deployment.logId, size: batch.newSize, root: batch.root }
  return appendCosignatures(checkpoints, signCheckpoint(checkpoints, head))
}

export type SignCheckpointDeps = { signer: Pick<NoteSigner, 'sign'>; publicUrl: string }

/**
 * Signs the checkpoint of a head that is final on chain.
 *
 * No other head may be passed: the chain has verified that each anchored head extends the previous one, so no two
 * checkpoints contradict each other.
 *
 * Source: C2SP tlog-checkpoint "Signatures".
 */
export function signCheckpoint(
  { signer, publicUrl }: SignCheckpointDeps,
  head: { logId: string; size: number; root: string },
): string {
  const origin = logOrigin(publicUrl, head.logId)
  return signer.sign(origin, writeCheckpointText({ origin, size: head.size, root: head.root }))
}

export type CosignedCheckpointDeps = SignCheckpointDeps & {
  /** Reads the signature lines of the configured witnesses for the text of a checkpoint. */
  cosignatures: (text: string) => Promise<string[]>
}

/**
 * Appends the cosignatures that there are to a signed checkpoint. Those that are missing are not waited for: a witness that
 * is slow must not delay a proof.
 *
 * Source: C2SP tlog-cosignature.
 */
export async function appendCosignatures(
  { cosignatures }: Pick<CosignedCheckpointDeps, 'cosignatures'>,
  note: string,
): Promise<string> {
  const text = note.slice(0, note.lastIndexOf('\n\n') + 1)
  return note + (await cosignatures(text)).join('')
}

/**
 * The name of an audit log in checkpoints and of its key: a URL without a scheme.
 *
 * It ends with the id of the log in the contract, so that a checkpoint names the log on the chain.
 *
 * Source: C2SP tlog-checkpoint "Note text"; C2SP signed-note "Signatures".
 */
export function logOrigin(publicUrl: string, logId: string): string {
  const { host, pathname } = new URL(publicUrl)
  return `${host}${pathname.replace(/\/+$/, '').replaceAll('+', '%2B')}/audit/${logId}`
}

export type ReadLogKeyDeps = {
  signer: Pick<NoteSigner, 'verifierKey' | 'publicKeyPem' | 'handovers'>
  publicUrl: string
  logId: () => Promise<string>
}

/** The public key for checkpoints. */
export type LogKey = ResultOf<'GET /api/audit/key'>

/** Returns the key that signs checkpoints of this log, and how it succeeded former ones. Source: C2SP signed-note. */
export async function readLogKey({ signer, publicUrl, logId }: ReadLogKeyDeps): Promise<LogKey> {
  const origin = logOrigin(publicUrl, await logId())
  return {
    origin,
    verifierKey: signer.verifierKey(origin),
    publicKeyPem: signer.publicKeyPem(),
    handovers: signer.handovers(origin),
  }
}

import type { Kyd } from '@svc/core/contract/kyd.ts'
import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import { apiError } from '../../errors.ts'
import type { DocumentBox } from '../../external/documentBox.ts'
import type { SecretBox } from '../../external/keys/secretBox.ts'
import type { KydDocument, KydDocumentKind, KydStore } from '../../store/accounts/kydStore.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type { Db } from '../../store/database/database.ts'
import { type RefuseSuspendedDeps, refuseSuspended } from '../accounts/refuseSuspended.ts'
import { type RequireLiveSessionDeps, requireLiveSession } from '../accounts/requireLiveSession.ts'
import type { SessionPrincipal } from '../principal.ts'
import { sealContexts } from '../secrets/sealedValues.ts'
import type { UploadGate } from './createUploadGate.ts'
import { toKydView } from './readKyd.ts'
import { type KydUpload, readKydUpload } from './readKydUpload.ts'

export type SubmitKydDeps = RequireLiveSessionDeps & RefuseSuspendedDeps & SubmissionDeps

type SubmissionDeps = {
  db: Pick<Db, 'transaction'>
  kyd: KydStore
  users: Pick<UserStore, 'byId'>
  boxes: { documents: Pick<DocumentBox, 'seal'>; secrets: Pick<SecretBox, 'seal'> }
  gate: UploadGate
  /** Throws if an account submits too often in a day. */
  budget: { take(caller: string, now: number): unknown }
  randomBytes: (length: number) => Uint8Array
}

export type SubmitKydInput = {
  principal: SessionPrincipal
  /** Reads the body; called only when the submission is admitted. */
  read: () => Promise<KydUpload>
  now: number
}

const KINDS: readonly KydDocumentKind[] = ['passport', 'selfie']

/**
 * Submits the pictures and the machine-readable zone of an account for identity verification.
 *
 * All checks that do not need the body come before reading it. One upload per account is read at a time, and attempts per
 * day are limited, because each may occupy 16 MiB of memory. It may arrive for minutes: a password reset or a suspension
 * that ends the session meanwhile keeps the documents out.
 *
 * @throws ApiError INVALID_STATE while a case is pending or being read, and if the identity is verified; RATE_LIMITED,
 * SERVICE_UNAVAILABLE, VALIDATION_ERROR, UNAUTHENTICATED, ACCOUNT_SUSPENDED, and the errors of reading.
 */
export async function submitKyd(deps: SubmitKydDeps, input: SubmitKydInput): Promise<Kyd> {
  const { kyd, boxes, randomBytes } = deps
  const { now, principal } = input
  const { userId } = principal
  await refuseUnlessOpen(deps, userId)
  const release = deps.gate.enter(userId)
  try {
    await deps.budget.take(userId, now)
    const { mrz, pictures } = readKydUpload(await input.read(), now)
    const id = generateUuidV7(now, randomBytes(10))
    const documents = KINDS.map((kind): KydDocument => {
      const { bytes, ...picture } = pictures[kind]
      return { kind, ...picture, sealed: boxes.documents.seal(bytes, sealContexts.kydDocument(id, kind)) }
    })
    const mrzSealed = boxes.secrets.seal(JSON.stringify(mrz), sealContexts.kydMrz(id))
    return await deps.db.transaction(async (trx) => {
      await refuseSuspended(deps, trx, principal)
      await requireLiveSession(deps, trx, principal)
      await refuseUnlessOpen(deps, userId, trx)
      await kyd.insert(trx, { id, userId, mrzSealed, submittedAt: now }, documents)
      return toKydView(await kyd.latestOf(userId, trx), null)
    })
  } finally {
    release()
  }
}

async function refuseUnlessOpen(
  { users, kyd }: Pick<SubmitKydDeps, 'users' | 'kyd'>,
  userId: string,
  run?: Parameters<KydStore['latestOf']>[1],
): Promise<void> {
  const user = await users.byId(userId, run)
  if (!user) throw apiError('UNAUTHENTICATED')
  if (user.kydVerifiedAt !== null) {
    throw apiError('INVALID_STATE', { message: 'The identity of this account is already verified.' })
  }
  const newest = await kyd.latestOf(userId, run)
  if (newest?.status === 'pending') {
    throw apiError('INVALID_STATE', {
      message: 'Documents of this account are already waiting for a decision.',
    })
  }
}

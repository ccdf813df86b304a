import { parseCheckpoint } from '@svc/core/audit/checkpoint.ts'
import { decodeHex, encodeBase64 } from '@svc/core/bytes.ts'
import type { Witness } from '../../config/readWitnessSettings.ts'
import type { AddCheckpoint, WitnessAnswer } from '../../external/outbound/witnessClient.ts'
import type { WitnessedLog, WitnessHead, WitnessStore } from '../../store/audit/witnessStore.ts'
import type { Db } from '../../store/database/database.ts'
import { type ProveConsistencyDeps, proveConsistency } from '../audit/proveConsistency.ts'
import { type SignCheckpointDeps, signCheckpoint } from '../audit/readCheckpoint.ts'
import { findNewestAnchor } from '../audit/sealBatch.ts'

export type SubmitCheckpointDeps = {
  proofs: ProveConsistencyDeps
  checkpoints: SignCheckpointDeps
  witnesses: WitnessStore
  addCheckpoint: AddCheckpoint
  transaction: Db['transaction']
  /** A number from 0 to 1. */
  random: () => number
  /** Reports a witness that begins to fail for a reason. */
  onFault: (witness: string, fault: string) => void
}

/** Longer than two requests may take. */
const CLAIM_MS = 30_000
const PAUSE_MS_MIN = 1_000
const PAUSE_MS_MAX = 600_000
/** A cosignature is renewed after this time, because its age is what shows an auditor that nothing newer is withheld. */
const RENEWAL_MS = 900_000

type Head = { size: number; note: string; text: string }

/**
 * Submits the newest checkpoint to one witness, unless it has cosigned it lately, and stores the cosignature.
 *
 * Only heads that are final on chain are submitted, like those that are served. Several processes may try: one of them has
 * the claim. A witness that remembers another size says so, and is asked once more with the proof from there.
 *
 * @returns 1 after a new cosignature, otherwise 0: nothing is new, it is not due, or it failed and is tried again.
 * Source: C2SP tlog-witness "add-checkpoint".
 */
export async function submitCheckpoint(
  deps: SubmitCheckpointDeps,
  { witness, now }: { witness: Witness; now: number },
): Promise<0 | 1> {
  const { proofs, checkpoints, witnesses, transaction } = deps
  const anchor = await findNewestAnchor(proofs)
  if (anchor === null) return 0
  const { newSize: size, root } = anchor.batch
  const note = signCheckpoint(checkpoints, { logId: anchor.deployment.logId, size, root })
  const { origin = '', text = '' } = parseCheckpoint(note) ?? {}
  const log = { witness: witness.id, origin }
  const [known] = await witnesses.heads(origin, [witness.id])
  if (known !== undefined && isCosigned(known, text, now)) return 0

  const head = await transaction((trx) => witnesses.claim(trx, log, { now, until: now + CLAIM_MS }))
  if (head === null) return 0
  if (head.size > size || isCosigned(head, text, now)) {
    // Another process has submitted this checkpoint, or a newer one.
    await transaction((trx) => witnesses.release(trx, log))
    return 0
  }
  const answer = await request(deps, { witness, head: { size, note, text }, oldSize: head.size, now })
  if (answer.kind !== 'cosigned') return await storeFailure(deps, { log, answer, head, now })
  const { line } = answer
  await transaction((trx) => witnesses.succeed(trx, log, { size, text, line, at: now }))
  return 1
}

function isCosigned({ cosignedText, cosignedAt }: WitnessHead, text: string, now: number): boolean {
  return cosignedText === text && now - (cosignedAt ?? 0) < RENEWAL_MS
}

async function request(
  deps: SubmitCheckpointDeps,
  { witness, head, oldSize, now }: { witness: Witness; head: Head; oldSize: number; now: number },
): Promise<WitnessAnswer> {
  const ask = async (from: number) =>
    deps.addCheckpoint({
      ...{ witness, note: head.note, oldSize: from, now },
      consistencyProof: await proveFrom(deps, from, head.size),
    })
  const answer = await ask(oldSize)
  if (answer.kind !== 'conflict' || answer.size === oldSize || answer.size > head.size) return answer
  return await ask(answer.size)
}

async function proveFrom({ proofs }: SubmitCheckpointDeps, from: number, to: number): Promise<string[]> {
  if (from === 0) return []
  const { consistencyProof } = await proveConsistency(proofs, { from, to })
  return consistencyProof.map((hash) => encodeBase64(decodeHex(hash)))
}

async function storeFailure(
  { witnesses, transaction, random, onFault }: SubmitCheckpointDeps,
  failure: {
    log: WitnessedLog
    answer: Exclude<WitnessAnswer, { kind: 'cosigned' }>
    head: WitnessHead
    now: number
  },
): Promise<0> {
  const { log, answer, head, now } = failure
  const fault =
    answer.kind === 'failed'
      ? answer.fault
      : `says that it has cosigned ${answer.size} records of this log: the log lost records, or the key is in use elsewhere`
  const pauseMs = Math.min(PAUSE_MS_MAX, PAUSE_MS_MIN * 2 ** Math.min(head.attempts - 1, 20))
  // Half to one and a half, so that witnesses that failed together are not asked together.
  const nextAttemptAt = now + Math.round(pauseMs * (0.5 + random()))
  await transaction((trx) => witnesses.fail(trx, log, { fault, at: now, nextAttemptAt }))
  if (fault !== head.fault) onFault(log.witness, fault)
  return 0
}

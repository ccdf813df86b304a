import { ERASURE_STEPS } from '@svc/core/erasureSteps.ts'
import type { Db } from '../../store/database/database.ts'
import type { Erasure, ErasureStore } from '../../store/personal/erasureStore.ts'
import type { Person } from '../../store/personal/person.ts'
import type { PersonalStore } from '../../store/personal/personalStore.ts'
import { type EraseIdentityDeps, eraseIdentity } from './eraseIdentity.ts'
import {
  type EraseAgentsDeps,
  type EraseEndpointsDeps,
  eraseAgents,
  eraseEndpoints,
} from './eraseProperty.ts'
import { type EraseRecordsDeps, eraseRecords } from './eraseRecords.ts'

export type EraseAccountsDeps = {
  db: Pick<Db, 'transaction'>
  erasures: Pick<ErasureStore, 'claim' | 'advance'>
  personal: PersonalStore
  identity: EraseIdentityDeps
  property: EraseAgentsDeps & EraseEndpointsDeps
  records: EraseRecordsDeps
  /** Resolves once everything committed before the call is in the feed. */
  catchUp(): Promise<unknown>
}

type Trx = Parameters<ErasureStore['advance']>[0]

/** Longer than a step may take, so that a claim expires only if its process has died. */
const CLAIM_MS = 5 * 60 * 1000

/**
 * Takes one step of an erasure that is due; returns how many steps it took.
 *
 * Each step can be repeated and is left only when nothing of it remains, so that a kill at any moment loses nothing. The
 * steps stand in this order because the later ones find what they erase by the developer's identifier, which stays, and
 * because retiring agents appends records, which come last.
 */
export async function eraseAccounts(deps: EraseAccountsDeps, now: number): Promise<number> {
  const erasure = await deps.db.transaction((trx) => deps.erasures.claim(trx, { now, until: now + CLAIM_MS }))
  if (erasure === null) return 0
  const person = await deps.personal.person(erasure.userId)
  if (person === null) return 0
  await takeStep(deps, { erasure, person, now })
  return 1
}

async function takeStep(
  deps: EraseAccountsDeps,
  { erasure, person, now }: { erasure: Erasure; person: Person; now: number },
): Promise<void> {
  const { step, userId, cursor } = erasure
  const moveTo = (trx: Trx, next: Erasure['step'], reached = -1) =>
    deps.erasures.advance(trx, erasure, { step: next, cursor: reached, now })
  const finish = (trx: Trx) => moveTo(trx, followerOf(step))
  const finishIf = async (isComplete: boolean): Promise<void> => {
    await deps.db.transaction((trx) => (isComplete ? finish(trx) : moveTo(trx, step)))
  }
  switch (step) {
    case 'identity':
      return eraseIdentity(deps.identity, { userId, now }, finish)
    case 'agents':
      return finishIf(await eraseAgents(deps.property, { person, now }))
    case 'endpoints':
      return finishIf(await eraseEndpoints(deps.property, { person, now }))
    case 'rows':
      return deps.db.transaction(async (trx) => {
        if (!(await finish(trx))) return
        // Again, because a sign-in may have been under way when they were deleted.
        await deps.personal.deleteRows(trx, person, 'with the identity')
        await deps.personal.deleteRows(trx, person, 'with the rows')
        await deps.personal.forgetPayer(trx, userId)
      })
    case 'records': {
      await deps.catchUp()
      const advance = (trx: Trx, reached: number) => moveTo(trx, step, reached)
      const last = await eraseRecords(deps.records, { person, after: cursor }, advance)
      if (last === null) await finishIf(true)
      return
    }
    case 'done':
  }
}

function followerOf(step: Erasure['step']): Erasure['step'] {
  return ERASURE_STEPS[ERASURE_STEPS.indexOf(step as (typeof ERASURE_STEPS)[number]) + 1] ?? 'done'
}

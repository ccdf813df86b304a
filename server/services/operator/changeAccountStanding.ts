import { apiError } from '../../errors.ts'
import type { InterimSignInStore } from '../../store/accounts/interimSignInStore.ts'
import type { SessionStore } from '../../store/accounts/sessionStore.ts'
import type { User, UserStore } from '../../store/accounts/userStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { ReceiptStore } from '../../store/receipts/receiptStore.ts'
import type { AccountCaches } from '../accounts/accountCaches.ts'
import { createAuditRecord } from '../audit/createAuditRecord.ts'
import { type ChangeInterventionDeps, changeIntervention, type Intervening } from './changeIntervention.ts'
import { STANDING_STEPS, type StandingStep } from './standingSteps.ts'
import { type TellOwnerDeps, tellOwner } from './tellOwner.ts'

export type ChangeAccountStandingDeps = ChangeInterventionDeps &
  TellOwnerDeps & {
    db: Pick<Db, 'transaction'>
    users: Pick<UserStore, 'byAnyId' | 'hasOtherOperator'>
    sessions: Pick<SessionStore, 'endOfUser'>
    interimSignIns: Pick<InterimSignInStore, 'deleteOfUser'>
    records: Pick<AuditRecordStore, 'append'>
    receipts: Pick<ReceiptStore, 'withdrawOfOwner'>
    caches: Pick<AccountCaches, 'sessions'>
    /** Called after the commit and before the response. */
    onStandingChanged(): void
    /** Whom owners contact; null if none is configured. */
    contact: string | null
  }

type Trx = Parameters<UserStore['hasOtherOperator']>[0]

/**
 * Suspends an account, or ends its suspension, and tells its owner why.
 *
 * From the response on, a suspended account is signed out and cannot sign in by any method, its API keys are refused, and
 * its agents are not active, so that receipts of earlier grants are withdrawn. Its organisations are not affected: they have
 * a standing of their own. Nothing is deleted: ending the suspension restores everything but the sessions and the receipts.
 *
 * @param input.id `SVCD-` identifier or UUID.
 * @throws ApiError NOT_FOUND, FORBIDDEN for the operator's own account, INVALID_STATE for the last operator and as
 * `changeIntervention`. Source: docs/decisions/0070.
 */
export async function changeAccountStanding(
  deps: ChangeAccountStandingDeps,
  step: StandingStep,
  input: Intervening,
): Promise<{ developerId: string; status: 'active' | 'suspended' }> {
  const { isSuspended, status } = STANDING_STEPS[step]
  const { developerId, endedSessions } = await deps.db.transaction(async (trx) => {
    const user = await deps.users.byAnyId(input.id, trx)
    if (!user) throw apiError('NOT_FOUND')
    if (user.id === input.principal.userId) {
      throw apiError('FORBIDDEN', { message: 'You cannot decide about your own account.' })
    }
    await changeIntervention(deps, trx, isSuspended, {
      ...input,
      subjectId: user.developerId,
      messageOfConflict: isSuspended ? 'The account is suspended already.' : 'The account is not suspended.',
    })
    await recordAndTell(deps, trx, step, { user, input })
    if (!isSuspended) return { developerId: user.developerId, endedSessions: [] }
    await keepAnOperator(deps, trx, user)
    await deps.receipts.withdrawOfOwner(trx, { ownerId: user.developerId, at: input.now })
    await deps.interimSignIns.deleteOfUser(trx, user.id)
    const ended = await deps.sessions.endOfUser(trx, user.id, { at: input.now, reason: 'suspended' })
    return { developerId: user.developerId, endedSessions: ended }
  })
  for (const sessionId of endedSessions) deps.caches.sessions.delete(sessionId)
  deps.onStandingChanged()
  deps.post.wake()
  return { developerId, status }
}

async function keepAnOperator({ users }: ChangeAccountStandingDeps, trx: Trx, user: User): Promise<void> {
  if (user.role !== 'operator' || (await users.hasOtherOperator(trx, user.id))) return
  throw apiError('INVALID_STATE', { message: 'The service needs at least one operator.' })
}

async function recordAndTell(
  deps: ChangeAccountStandingDeps,
  trx: Trx,
  step: StandingStep,
  { user, input }: { user: User; input: Intervening },
): Promise<void> {
  const { reason, principal, now } = input
  const { developerId, email } = user
  const code = `account.${STANDING_STEPS[step].event}`
  const change = { developerId, decidedBy: principal.developerId }
  const record = createAuditRecord(
    {
      eventType: code,
      ownerId: developerId,
      counterpartyOwnerId: null,
      agentId: null,
      endpointId: null,
      subject: { developerId },
      // Without the reason, which is free text about a person.
      eventData: change,
      inputs: change,
    },
    now,
    deps.post.randomBytes,
  )
  await deps.records.append(trx, record)
  const { isSuspended } = STANDING_STEPS[step]
  await tellOwner(deps, trx, {
    ownerId: developerId,
    code,
    recordId: record.recordId,
    data: { reason },
    recipients: email === null ? [] : [email],
    template: 'account_standing',
    mail: { isSuspended, reason, contact: deps.contact, link: deps.post.appUrl },
    now,
  })
}

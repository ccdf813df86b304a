import type { KydCase, OpenKydCase } from '@svc/core/contract/kyd.ts'
import { toIsoTime } from '@svc/core/time/toIsoTime.ts'
import { apiError } from '../../errors.ts'
import type { SecretBox } from '../../external/keys/secretBox.ts'
import type { KydCaseOfAccount, KydStatus, KydStore } from '../../store/accounts/kydStore.ts'
import type { SessionPrincipal } from '../principal.ts'
import { sealContexts } from '../secrets/sealedValues.ts'

export type ReadKydCaseDeps = {
  kyd: Pick<KydStore, 'byId' | 'documentsOf'>
  secrets: Pick<SecretBox, 'open'>
}

/** Returns a case to a reviewer. @throws ApiError NOT_FOUND. */
export async function readKydCase(
  { kyd, secrets }: ReadKydCaseDeps,
  { principal, caseId }: { principal: SessionPrincipal; caseId: string },
): Promise<OpenKydCase> {
  const found = await kyd.byId(caseId)
  if (found === null) throw apiError('NOT_FOUND')
  return {
    ...toKydCaseView(found, principal.userId),
    mrz:
      found.mrzSealed === null
        ? null
        : JSON.parse(secrets.open(found.mrzSealed, sealContexts.kydMrz(caseId))),
    documents: await kyd.documentsOf(caseId),
  }
}

export type ListKydCasesInput = {
  principal: SessionPrincipal
  status: KydStatus
  page: { limit: number; before: number | null }
}

/** Lists the cases in a state: pending ones in order of arrival, decided ones newest first. */
export async function listKydCases(
  deps: { kyd: Pick<KydStore, 'list'> },
  { principal, status, page }: ListKydCasesInput,
): Promise<{ items: KydCase[]; nextBefore: number | null }> {
  const { items, nextBefore } = await deps.kyd.list(status, page)
  return { items: items.map((found) => toKydCaseView(found, principal.userId)), nextBefore }
}

/** Shows a case to a reviewer, without what is sealed. */
export function toKydCaseView(found: KydCaseOfAccount, reviewerId: string): KydCase {
  const { id, status, developerId, email, fullName, reason, compared } = found
  return {
    id,
    status,
    developerId,
    email,
    fullName,
    reason,
    compared,
    submittedAt: toIsoTime(found.submittedAt),
    decidedAt: toIsoTime(found.decidedAt),
    decidedBy: found.deciderId,
    documentsDeletedAt: toIsoTime(found.documentsDeletedAt),
    isOwn: found.userId === reviewerId,
  }
}

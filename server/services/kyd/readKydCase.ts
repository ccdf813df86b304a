import type { MrzFacts } from '@svc/core/kyd/parseMrz.ts'
import { apiError } from '../../errors.ts'
import type { SecretBox } from '../../external/secretBox.ts'
import type { KydCaseOfAccount, KydDocument, KydStatus, KydStore } from '../../store/accounts/kydStore.ts'
import type { SessionPrincipal } from '../principal.ts'
import { sealContextOf } from './readKydUpload.ts'

export type ReadKydCaseDeps = {
  kyd: Pick<KydStore, 'byId' | 'documentsOf'>
  secrets: Pick<SecretBox, 'open'>
}

/** A case with everything that a reviewer compares; nothing personal remains once its documents are deleted. */
export type OpenKydCase = KydCaseView & {
  mrz: MrzFacts | null
  documents: Omit<KydDocument, 'sealed'>[]
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
        : JSON.parse(secrets.open(found.mrzSealed, sealContextOf(caseId, 'mrz'))),
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
): Promise<{ items: KydCaseView[]; nextBefore: number | null }> {
  const { items, nextBefore } = await deps.kyd.list(status, page)
  return { items: items.map((found) => toKydCaseView(found, principal.userId)), nextBefore }
}

/** A case as a reviewer sees it in a list. */
export type KydCaseView = {
  id: string
  status: KydStatus
  developerId: string
  email: string | null
  fullName: string | null
  reason: string | null
  submittedAt: string
  decidedAt: string | null
  /** `SVCD-` identifier of the operator who decided; null before the decision. */
  decidedBy: string | null
  documentsDeletedAt: string | null
  /** Whether the case is about the reviewer, who may then not decide it. */
  isOwn: boolean
}

/** Shows a case to a reviewer, without what is sealed. */
export function toKydCaseView(found: KydCaseOfAccount, reviewerId: string): KydCaseView {
  const { id, status, developerId, email, fullName, reason } = found
  return {
    id,
    status,
    developerId,
    email,
    fullName,
    reason,
    submittedAt: new Date(found.submittedAt).toISOString(),
    decidedAt: toIsoOrNull(found.decidedAt),
    decidedBy: found.deciderId,
    documentsDeletedAt: toIsoOrNull(found.documentsDeletedAt),
    isOwn: found.userId === reviewerId,
  }
}

function toIsoOrNull(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}

import type { KydCaseOfAccount, KydStatus } from '../../store/accounts/kydStore.ts'

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
  /** `SVCD-` identifier of the operator who decided; null while nobody has. */
  decidedBy: string | null
  documentsDeletedAt: string | null
  /** Whether it is about the reviewer, who then may not decide. */
  isOwn: boolean
}

/** Shows a case to a reviewer, without what is sealed. */
export function kydCaseView(found: KydCaseOfAccount, reviewerId: string): KydCaseView {
  const { id, status, developerId, email, fullName, reason } = found
  return {
    id,
    status,
    developerId,
    email,
    fullName,
    reason,
    submittedAt: new Date(found.submittedAt).toISOString(),
    decidedAt: iso(found.decidedAt),
    decidedBy: found.deciderId,
    documentsDeletedAt: iso(found.documentsDeletedAt),
    isOwn: found.userId === reviewerId,
  }
}

function iso(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}

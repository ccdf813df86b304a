import type { MrzFacts } from '@svc/core/kyd/parseMrz.ts'
import { apiError } from '../../errors.ts'
import type { SecretBox } from '../../external/secretBox.ts'
import type { KydDocument, KydStore } from '../../store/accounts/kydStore.ts'
import type { SessionPrincipal } from '../principal.ts'
import { type KydCaseView, kydCaseView } from './kydCaseView.ts'
import { sealedContext } from './sealedContext.ts'

export type ReadKydCaseDeps = {
  kyd: Pick<KydStore, 'byId' | 'documentsOf'>
  secrets: Pick<SecretBox, 'open'>
}

/** One case with all that a reviewer compares; nothing personal is left once its documents are deleted. */
export type OpenKydCase = KydCaseView & {
  mrz: MrzFacts | null
  documents: Omit<KydDocument, 'sealed'>[]
}

/**
 * One case, for a reviewer.
 *
 * @throws ApiError NOT_FOUND. Source: api.md "Accounts".
 */
export async function readKydCase(
  { kyd, secrets }: ReadKydCaseDeps,
  { principal, caseId }: { principal: SessionPrincipal; caseId: string },
): Promise<OpenKydCase> {
  const found = await kyd.byId(caseId)
  if (found === null) throw apiError('NOT_FOUND')
  return {
    ...kydCaseView(found, principal.userId),
    mrz:
      found.mrzSealed === null
        ? null
        : JSON.parse(secrets.open(found.mrzSealed, sealedContext(caseId, 'mrz'))),
    documents: await kyd.documentsOf(caseId),
  }
}

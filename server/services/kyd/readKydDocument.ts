import { apiError } from '../../errors.ts'
import type { DocumentBox } from '../../external/documentBox.ts'
import type { KydDocumentKind, KydStore } from '../../store/accounts/kydStore.ts'
import type { SessionPrincipal } from '../principal.ts'
import { sealContexts } from '../secrets/sealedValues.ts'

export type ReadKydDocumentDeps = {
  kyd: Pick<KydStore, 'byId' | 'document'>
  documents: Pick<DocumentBox, 'open'>
  log: { info(fields: object, message: string): void }
}

export type ReadKydDocumentInput = {
  principal: SessionPrincipal
  caseId: string
  kind: KydDocumentKind
}

/**
 * Returns a picture of a case to a reviewer and logs the access.
 *
 * @throws ApiError NOT_FOUND, GONE once the documents of the case are deleted.
 */
export async function readKydDocument(
  { kyd, documents, log }: ReadKydDocumentDeps,
  { principal, caseId, kind }: ReadKydDocumentInput,
): Promise<{ mediaType: string; bytes: Uint8Array }> {
  const found = await kyd.byId(caseId)
  if (found === null) throw apiError('NOT_FOUND')
  const document = await kyd.document(caseId, kind)
  if (document === null) throw apiError('GONE')
  log.info({ operator: principal.developerId, caseId, kind }, 'an operator was shown a document')
  return {
    mediaType: document.mediaType,
    bytes: documents.open(document.sealed, sealContexts.kydDocument(caseId, kind)),
  }
}

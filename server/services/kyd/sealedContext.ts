import type { KydDocumentKind } from '../../store/accounts/kydStore.ts'

/** Names what of a case is encrypted, so that it opens nowhere else. */
export function sealedContext(caseId: string, part: KydDocumentKind | 'mrz'): string {
  return `kyd ${caseId} ${part}`
}

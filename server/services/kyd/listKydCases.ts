import type { KydStatus, KydStore } from '../../store/accounts/kydStore.ts'
import type { SessionPrincipal } from '../principal.ts'
import { type KydCaseView, kydCaseView } from './kydCaseView.ts'

export type ListKydCasesInput = {
  principal: SessionPrincipal
  status: KydStatus
  page: { limit: number; before: number | null }
}

/** Cases in one state: the queue in the order of arrival, what is decided newest first. Source: api.md "Accounts". */
export async function listKydCases(
  deps: { kyd: Pick<KydStore, 'list'> },
  { principal, status, page }: ListKydCasesInput,
): Promise<{ items: KydCaseView[]; nextBefore: number | null }> {
  const { items, nextBefore } = await deps.kyd.list(status, page)
  return { items: items.map((found) => kydCaseView(found, principal.userId)), nextBefore }
}

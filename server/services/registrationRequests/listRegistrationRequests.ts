import type { UserStore } from '../../store/accounts/userStore.ts'
import type {
  RegistrationRequestStatus,
  RegistrationRequestStore,
} from '../../store/approvals/registrationRequestStore.ts'
import type { SessionPrincipal } from '../principal.ts'
import { provenEmailOf } from './provenEmailOf.ts'
import { type RegistrationRequestView, registrationRequestView } from './registrationRequestView.ts'

export type ListRegistrationRequestsDeps = {
  requests: Pick<RegistrationRequestStore, 'listFor'>
  users: Pick<UserStore, 'byId'>
}

export type ListRegistrationRequestsInput = {
  principal: SessionPrincipal
  status: RegistrationRequestStatus | undefined
  page: { limit: number; before: number | null }
  now: number
}

/** The requests made of the owners the caller acts for, or written to the caller's proven address, newest first. */
export async function listRegistrationRequests(
  deps: ListRegistrationRequestsDeps,
  { principal, status, page, now }: ListRegistrationRequestsInput,
): Promise<{ items: RegistrationRequestView[]; nextBefore: number | null }> {
  const email = await provenEmailOf(deps.users, principal.userId)
  const audience = { ownerIds: [...principal.actsFor], email }
  const { items, nextBefore } = await deps.requests.listFor(audience, { status, now }, page)
  return { items: items.map((request) => registrationRequestView(request, now)), nextBefore }
}

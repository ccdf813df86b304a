import type { StoredRegistrationRequest } from '../../store/approvals/registrationRequestStore.ts'
import type { RegisterForAccountInput } from '../agents/registration/registerForAccount.ts'

/** What a request asks for; a consent for the chain is of signed registrations only. */
export type RequestedRegistration = RegisterForAccountInput['registration']

/** Reads back what was stored with a request; the service wrote it, after it was parsed. */
export function requestedRegistration({
  registration,
}: Pick<StoredRegistrationRequest, 'registration'>): RequestedRegistration {
  return JSON.parse(registration) as RequestedRegistration
}

import type { StoredRegistrationRequest } from '../../store/registrationRequestStore.ts'
import type { AgentRegistration } from '../agents/agentRegistration.ts'

/** What a request asks for; a consent for the chain is of signed registrations only. */
export type RequestedRegistration = Omit<AgentRegistration, 'onChain'> & {
  /** Lower-case address of the agent's own key, which signed the request; an agent without one gets no tokens. */
  signerAddress?: `0x${string}` | null
}

/** Reads back what was stored with a request; the service wrote it, after it was parsed. */
export function requestedRegistration({
  registration,
}: Pick<StoredRegistrationRequest, 'registration'>): RequestedRegistration {
  return JSON.parse(registration) as RequestedRegistration
}

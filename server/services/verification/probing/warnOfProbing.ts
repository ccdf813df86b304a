import { isUnregistered } from '@svc/core/access/facts.ts'
import type { RaiseAlert } from '../../alerts/createRaiseAlert.ts'
import type { VerifiableAgent } from '../parties/verifiableAgent.ts'
import type { VerifiableEndpoint } from '../parties/verifiableEndpoint.ts'

/** The parties of a request that looks like probing, and its time. */
export type Probing = {
  agent: Pick<VerifiableAgent, 'svcId' | 'ownerId'>
  endpoint: Pick<VerifiableEndpoint, 'id' | 'svceId' | 'ownerId' | 'counterpartyType' | 'url' | 'facts'>
  /** Whether only the answers to several accounts look like it together. */
  areSeveral?: boolean
  now: number
}

export type WarnOfProbing = (probing: Probing) => void

/**
 * Warns the owner of an agent that an account tries out the agent's limits, or that several do so together; once a day for
 * an agent and account, or for an agent and several.
 *
 * The endpoint is named as in the activity feed: by identifier and type, and by URL only if nobody has registered it.
 *
 * Source: `Spec: Alerts`, `Spec: Activity views`.
 */
export function warnOfProbing(
  raise: RaiseAlert,
  { agent, endpoint, areSeveral = false, now }: Probing,
): void {
  const endpointId = endpoint.svceId ?? endpoint.id
  raise(
    {
      ownerId: agent.ownerId,
      code: 'limit_probing',
      severity: 'warning',
      subject: `${agent.svcId} ${areSeveral ? 'several' : endpoint.ownerId}`,
      data: {
        agentId: agent.svcId,
        ...(areSeveral ? { searchers: 'several' } : {}),
        ...(endpointId === null ? {} : { endpointId }),
        ...(endpoint.counterpartyType === null ? {} : { counterpartyType: endpoint.counterpartyType }),
        ...(isUnregistered(endpoint.facts.tier) && endpoint.url !== null
          ? { counterpartyUrl: endpoint.url }
          : {}),
      },
    },
    now,
  )
}

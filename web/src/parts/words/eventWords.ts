import type { ActivityEvent, ActivityItem } from '@svc/core/contract/activity.ts'
import { revealText } from '../code/revealText.ts'
import { summariseProof } from './proofWords.ts'
import { formatAmount, shortenIdentifier } from './words.ts'

type Summary = {
  /** Who did what, or what happened. */
  title: string
  /** The details of the request. */
  about: string
  recommendation: string | null
}

/**
 * Summarises an event in a few words, without the members that the viewer may not see. In the activity, an endpoint has the
 * name that it has now.
 */
export function summariseEvent(event: ActivityEvent & Partial<ActivityItem>): Summary {
  const { eventType, agentId, endpointId, eventData, endpointName } = event
  const text = (name: string) => (typeof eventData[name] === 'string' ? (eventData[name] as string) : null)
  const agentName =
    text('agentName') ?? (agentId === null ? 'Unidentified caller' : shortenIdentifier(agentId))
  const placeName =
    endpointName ?? text('endpointName') ?? text('counterpartyUrl') ?? endpointId ?? 'an endpoint'
  // Each by itself: otherwise, two names from right to left would change places.
  const [who, where] = [revealText(agentName), revealText(placeName)]
  const isVerification = eventType.startsWith('verification.')
  const value = eventData.transactionValue
  const spend = typeof value === 'number' ? formatAmount(value, text('currency') ?? undefined) : null
  const facts = [text('purpose') ?? text('action'), text('resource'), text('jurisdiction'), spend]
  const request = facts.filter(Boolean).join(' · ')
  // A use that a gateway reports, but that its grant does not allow.
  const doubt =
    text('contradiction') && `contradicts its grant (${text('contradiction')?.replaceAll('_', ' ')})`
  const happened = eventNames[eventType] ?? eventType
  // A registration may be that of an agent or of an endpoint.
  const isOfAgent =
    eventType.startsWith('agent.') || (eventType.startsWith('registration.') && endpointId === null)
  const subject = isOfAgent ? who : where
  if (isVerification || eventType.startsWith('approval.')) {
    return {
      title: isVerification ? `${who} → ${where}` : `${happened}: ${who} → ${where}`,
      about: [request || happened, doubt, summariseProof(eventData)].filter(Boolean).join(' · '),
      recommendation: text('recommendation'),
    }
  }
  if (eventType.startsWith('kyd.') || eventType.startsWith('account.')) {
    return { title: happened, about: '', recommendation: null }
  }
  if (eventType.startsWith('organization.')) {
    return { title: happened, about: text('organizationName') ?? '', recommendation: null }
  }
  const url = text('counterpartyUrl') ?? ''
  return { title: `${happened}: ${subject}`, about: url === placeName ? '' : url, recommendation: null }
}

/** Display names of the event types, in the order of the filter. Source: Spec: Events. */
export const eventNames: Readonly<Record<string, string>> = {
  'verification.completed': 'Access granted',
  'verification.denied': 'Access denied',
  'verification.step_up_required': 'Held for approval',
  'verification.dry_run': 'Dry run by a counterparty',
  'verification.reused': 'Grant used again at the edge',
  'counterparty.decided': 'Counterparty’s decision',
  'counterparty.session_ended': 'Session ended by the counterparty',
  'approval.requested': 'Approval requested',
  'approval.approved': 'Approval granted',
  'approval.denied': 'Approval denied',
  'approval.expired': 'Approval expired',
  'approval.consumed': 'Approval used',
  'verification.unverified_deny': 'Unverified agent denied',
  'verification.unverified_audit': 'Unverified agent audited',
  'verification.unverified_allow_partial': 'Unverified agent restricted',
  'verification.unverified_allow_full': 'Unverified agent allowed',
  'verification.agent_not_found': 'Unknown agent',
  'counterparty.discovery_blocked': 'Discovery blocked',
  'registration.requested': 'Registration requested',
  'registration.approved': 'Registration approved',
  'registration.denied': 'Registration denied',
  'registration.expired': 'Registration expired',
  'agent.registered': 'Agent registered',
  'agent.updated': 'Agent updated',
  'agent.suspended': 'Agent suspended',
  'agent.resumed': 'Agent resumed',
  'agent.retired': 'Agent retired',
  'agent.owner_changed': 'Agent owner changed',
  'agent.hand_over_ordered': 'Token transfer requested',
  'agent.token_transferred': 'Agent token transferred',
  'agent.provisioned': 'Agent provisioned on chain',
  'agent.adopted': 'Agent of another registry adopted',
  'agent.adoption_ended': 'Adoption ended by a transfer',
  'agent.wallet_changed': 'Wallet of the agent’s token changed',
  'agent.credential_added': 'Credential added',
  'agent.credential_removed': 'Credential removed',
  'agent.key_added': 'Key added',
  'agent.key_revoked': 'Key revoked',
  'agent.approval_rules_changed': 'Approval rules changed',
  'agent.settings_changed': 'Agent settings changed',
  'agent.certification_granted': 'Certification granted',
  'agent.certification_withdrawn': 'Certification withdrawn',
  'agent.registration_file_published': 'Registration file published',
  'agent.withdrawn': 'Platform agent withdrawn',
  'agent.restored': 'Platform agent restored',
  'account.suspended': 'Account suspended by an operator',
  'account.resumed': 'Suspension of the account ended',
  'organization.suspended': 'Organisation suspended by an operator',
  'organization.resumed': 'Suspension of the organisation ended',
  'kyd.approved': 'Identity verified',
  'kyd.rejected': 'Identity rejected',
  'endpoint.registered': 'Endpoint registered',
  'endpoint.updated': 'Endpoint updated',
  'endpoint.deactivated': 'Endpoint deactivated',
  'endpoint.archived': 'Endpoint archived',
  'endpoint.released': 'Endpoint archived by an operator',
  'endpoint.allowlist_added': 'Allowlist entry added',
  'endpoint.allowlist_removed': 'Allowlist entry removed',
  'endpoint.domain_verified': 'Domain verified',
  'endpoint.domain_lapsed': 'Domain no longer verified',
  'endpoint.webhook_set': 'Webhook set',
  'endpoint.webhook_removed': 'Webhook removed',
  'endpoint.webhook_disabled': 'Webhook disabled',
  'endpoint.secret_rotated': 'Webhook secret rotated',
}

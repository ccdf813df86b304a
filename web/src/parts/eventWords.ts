import type { ActivityEvent } from '../api/types.ts'
import { amountInWords, shortIdentifier } from './words.ts'

type Summary = {
  /** Who did what, or what happened. */
  title: string
  /** What was asked for. */
  about: string
  recommendation: string | null
}

/** An event in a few words; what the viewer may not see is simply not there. */
export function eventSummary({ eventType, agentId, endpointId, eventData }: ActivityEvent): Summary {
  const text = (name: string) => (typeof eventData[name] === 'string' ? (eventData[name] as string) : null)
  const who = text('agentName') ?? (agentId === null ? 'A caller without identity' : shortIdentifier(agentId))
  const where = text('endpointName') ?? text('counterpartyUrl') ?? endpointId ?? 'an endpoint'
  const isVerification = eventType.startsWith('verification.')
  const value = eventData.transactionValue
  const spend = typeof value === 'number' ? amountInWords(value, text('currency') ?? undefined) : null
  const asked = [text('purpose') ?? text('action'), text('resource'), text('jurisdiction'), spend]
  const happened = eventTypes[eventType] ?? eventType
  const subject = eventType.startsWith('agent.') ? who : where
  if (isVerification || eventType.startsWith('approval.')) {
    return {
      title: isVerification ? `${who} → ${where}` : `${happened}: ${who} → ${where}`,
      about: asked.filter(Boolean).join(' · ') || happened,
      recommendation: text('recommendation'),
    }
  }
  if (eventType.startsWith('kyd.')) return { title: happened, about: '', recommendation: null }
  return { title: `${happened}: ${subject}`, about: text('counterpartyUrl') ?? '', recommendation: null }
}

/** The kinds of event in words, in the order of the filter. Source: Spec: Events. */
export const eventTypes: Readonly<Record<string, string>> = {
  'verification.completed': 'Agent granted',
  'verification.denied': 'Agent denied',
  'verification.step_up_required': 'Held for approval',
  'verification.dry_run': 'Tried out by a counterparty',
  'approval.requested': 'Approval asked for',
  'approval.approved': 'Approval given',
  'approval.denied': 'Approval denied',
  'approval.expired': 'Approval expired',
  'approval.consumed': 'Approval used',
  'verification.unverified_deny': 'Unverified, denied',
  'verification.unverified_audit': 'Unverified, audited',
  'verification.unverified_allow_partial': 'Unverified, restricted',
  'verification.unverified_allow_full': 'Unverified, let in',
  'verification.agent_not_found': 'Unknown agent',
  'counterparty.discovery_blocked': 'Discovery blocked',
  'registration.requested': 'Registration asked for',
  'registration.approved': 'Registration approved',
  'registration.denied': 'Registration denied',
  'registration.expired': 'Registration expired',
  'agent.registered': 'Agent registered',
  'agent.updated': 'Agent changed',
  'agent.suspended': 'Agent suspended',
  'agent.resumed': 'Agent resumed',
  'agent.retired': 'Agent retired',
  'agent.owner_changed': 'Agent changed hands',
  'agent.hand_over_ordered': 'Hand-over of a token ordered',
  'agent.token_transferred': 'Agent’s token transferred',
  'agent.provisioned': 'Agent put on chain',
  'agent.credential_added': 'Credential added',
  'agent.credential_removed': 'Credential taken away',
  'agent.approval_rules_changed': 'Approval rules changed',
  'agent.certification_granted': 'Certification granted',
  'agent.certification_withdrawn': 'Certification withdrawn',
  'agent.registration_file_published': 'Registration file published',
  'kyd.approved': 'Identity verified',
  'kyd.rejected': 'Identity not verified',
  'endpoint.registered': 'Endpoint registered',
  'endpoint.updated': 'Endpoint changed',
  'endpoint.deactivated': 'Endpoint deactivated',
  'endpoint.archived': 'Endpoint archived',
  'endpoint.allowlist_added': 'Allowlist entry added',
  'endpoint.allowlist_removed': 'Allowlist entry removed',
  'endpoint.domain_verified': 'Domain verified',
  'endpoint.domain_lapsed': 'Proof of the domain gone',
  'endpoint.webhook_set': 'Webhook set',
  'endpoint.webhook_removed': 'Webhook removed',
  'endpoint.webhook_disabled': 'Webhook disabled',
  'endpoint.secret_rotated': 'Webhook secret rotated',
}

/** The kinds of event in words, in the order of the filter. Source: Spec: Events. */
export const eventTypes: Readonly<Record<string, string>> = {
  'verification.completed': 'Agent granted',
  'verification.denied': 'Agent denied',
  'verification.step_up_required': 'Held for approval',
  'verification.unverified_deny': 'Unverified, denied',
  'verification.unverified_audit': 'Unverified, audited',
  'verification.unverified_allow_partial': 'Unverified, restricted',
  'verification.unverified_allow_full': 'Unverified, let in',
  'verification.agent_not_found': 'Unknown agent',
  'counterparty.discovery_blocked': 'Discovery blocked',
  'agent.registered': 'Agent registered',
  'agent.updated': 'Agent changed',
  'agent.registration_file_published': 'Registration file published',
  'endpoint.registered': 'Endpoint registered',
  'endpoint.updated': 'Endpoint changed',
}

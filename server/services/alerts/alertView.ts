import type { Alert } from '@svc/core/contract/alerts.ts'
import { toIsoTime } from '@svc/core/time/toIsoTime.ts'
import type { StoredAlert } from '../../store/approvals/alertStore.ts'
import { mayWriteFor } from '../mayWriteFor.ts'
import type { Principal } from '../principal.ts'

/** The sentence of each code, some with what the alert is about. */
const MESSAGES: Record<string, string | ((data: Alert['data']) => string)> = {
  sdk_unregistered_endpoint: 'You verify access to an endpoint that you have not claimed yet.',
  'agent.ownership_mismatch_attempt': 'Another account’s key tried to act as the owner of your agent.',
  'agent.key_added':
    'A key was added to one of your agents: requests signed with it now come from this agent.',
  'agent.key_lost':
    'Another account has proven that it holds a key of one of your agents, so the key was revoked there.',
  'agent.adoption_ended':
    'The token of an agent that you adopted was transferred, so the agent is retired here.',
  'agent.token_transferred':
    'The token of one of your agents is held by an account that is none of yours. The agent stays yours; the wallet that the token names does not sign for it.',
  'agent.wallet_set': ({ signs }) =>
    signs === 'true'
      ? 'The token of one of your agents names a new wallet: requests signed by it now come from this agent.'
      : 'Whoever holds the token of one of your agents has set a wallet for it. It does not sign for the agent, because the holder is no account of yours.',
  registration_pending: 'An agent asks to be registered under your account.',
  limit_probing: ({ searchers, counterpartyUrl, endpointId = 'A counterparty' }) =>
    searchers === 'several'
      ? `Several counterparties together, the last of them at ${counterpartyUrl ?? endpointId}, are trying out the limits of one of your agents.`
      : `${counterpartyUrl ?? endpointId} is trying out the limits of one of your agents.`,
  approval_pending: 'A request of one of your agents needs your approval.',
  'endpoint.webhook_disabled':
    'The webhook of an endpoint was disabled because its receiver answered 410 Gone.',
  'account.suspended': 'An operator has suspended your account.',
  'account.resumed': 'An operator has ended the suspension of your account.',
  'organization.suspended': 'An operator has suspended your organisation, so nobody can act for it.',
  'organization.resumed': 'An operator has ended the suspension of your organisation.',
  'endpoint.released': 'An operator has archived an endpoint and released its URL.',
  'kyd.approved': 'Your developer identity is verified.',
  'kyd.rejected': 'Your developer identity could not be verified. You can submit it again.',
  'endpoint.domain_lapsed': 'The domain of an endpoint is no longer proven, so its tier was lowered.',
  'endpoint.host_lost':
    'Another account has proven that it controls a host of your endpoints, so they were archived.',
}

/** Shows an alert to a user who acts for its owner. */
export function toAlertView(alert: StoredAlert, principal: Principal): Alert {
  const message = MESSAGES[alert.code] ?? alert.code
  return {
    id: alert.id,
    code: alert.code,
    severity: alert.severity,
    message: typeof message === 'string' ? message : message(alert.data),
    data: alert.data,
    createdAt: toIsoTime(alert.createdAt),
    readAt: toIsoTime(alert.readAt),
    mayMarkRead: mayWriteFor(principal, alert.ownerId),
  }
}

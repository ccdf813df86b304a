import type { Alert } from '@svc/core/contract/alerts.ts'
import type { StoredAlert } from '../../store/approvals/alertStore.ts'
import { mayWriteFor } from '../mayWriteFor.ts'
import type { Principal } from '../principal.ts'

/** The sentence of each code. */
const MESSAGES: Record<string, string> = {
  sdk_unregistered_endpoint: 'Verifications name a URL that nobody has claimed yet.',
  'agent.ownership_mismatch_attempt': 'Another account’s key tried to act as the owner of your agent.',
  registration_pending: 'An agent waits to be registered as yours.',
  approval_pending: 'One of your agents waits for your approval.',
  'endpoint.webhook_disabled':
    'The receiver of an endpoint’s webhook answered that it is gone; nothing is sent any more.',
  'kyd.approved': 'Your developer identity is verified.',
  'kyd.rejected': 'Your developer identity could not be verified; you may try again.',
  'endpoint.domain_lapsed': 'The proof of an endpoint’s domain is gone, and its tier fell with it.',
}

/** Shows an alert to a user who acts for its owner. */
export function toAlertView(alert: StoredAlert, principal: Principal): Alert {
  return {
    id: alert.id,
    code: alert.code,
    severity: alert.severity,
    message: MESSAGES[alert.code] ?? alert.code,
    data: alert.data,
    createdAt: new Date(alert.createdAt).toISOString(),
    readAt: alert.readAt === null ? null : new Date(alert.readAt).toISOString(),
    mayMarkRead: mayWriteFor(principal, alert.ownerId),
  }
}

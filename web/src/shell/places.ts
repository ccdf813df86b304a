import type { IconName } from '../parts/Icon.tsx'

export type PendingCounts = { approvals: number; registrations: number; alerts: number; cases: number }

/** A page of the main menu. */
export type Place = { to: string; name: string; icon: IconName; counts?: keyof PendingCounts }

/** The main menu. */
export const PLACES: readonly Place[] = [
  { to: '/', name: 'Overview', icon: 'overview' },
  { to: '/approvals', name: 'Approvals', icon: 'approvals', counts: 'approvals' },
  { to: '/activity', name: 'Activity', icon: 'activity' },
  { to: '/agents', name: 'Agents', icon: 'agents' },
  {
    to: '/registration-requests',
    name: 'Registrations',
    icon: 'requests',
    counts: 'registrations',
  },
  { to: '/endpoints', name: 'Endpoints', icon: 'endpoints' },
  { to: '/alerts', name: 'Alerts', icon: 'bell', counts: 'alerts' },
  { to: '/audit', name: 'Audit', icon: 'audit' },
  { to: '/api-keys', name: 'API keys', icon: 'keys' },
  { to: '/organisations', name: 'Organisations', icon: 'organisations' },
]

/** Shown only to operators. */
export const OPERATOR_PLACES: readonly Place[] = [
  { to: '/operator', name: 'Identity review', icon: 'shield', counts: 'cases' },
  { to: '/moderation', name: 'Moderation', icon: 'warning' },
]

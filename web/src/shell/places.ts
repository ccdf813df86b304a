import type { IconName } from '../parts/Icon.tsx'

export type PendingCounts = { approvals: number; registrations: number; alerts: number; cases: number }

/** A page of the main menu. */
export type Place = { to: string; name: string; icon: IconName; counts?: keyof PendingCounts }

/** Pages of the main menu that belong together; without a name only what is always first. */
export type PlaceGroup = { name: string | null; places: readonly Place[] }

const HOME: PlaceGroup = { name: null, places: [{ to: '/', name: 'Overview', icon: 'overview' }] }

const RUN: PlaceGroup = {
  name: 'Your agents',
  places: [
    { to: '/approvals', name: 'Approvals', icon: 'approvals', counts: 'approvals' },
    { to: '/agents', name: 'Agents', icon: 'agents' },
    {
      to: '/registration-requests',
      name: 'Registration requests',
      icon: 'requests',
      counts: 'registrations',
    },
  ],
}

const PROTECT: PlaceGroup = {
  name: 'Your APIs',
  places: [
    { to: '/endpoints', name: 'Endpoints', icon: 'endpoints' },
    { to: '/api-keys', name: 'API keys', icon: 'keys' },
    { to: '/organisations', name: 'Organisations', icon: 'organisations' },
  ],
}

const WATCH: PlaceGroup = {
  name: 'What happens',
  places: [
    { to: '/activity', name: 'Activity', icon: 'activity' },
    { to: '/alerts', name: 'Alerts', icon: 'bell', counts: 'alerts' },
    { to: '/audit', name: 'Audit', icon: 'audit' },
  ],
}

const REVIEW: PlaceGroup = {
  name: 'Your review',
  places: [
    { to: '/operator', name: 'Identity review', icon: 'shield', counts: 'cases' },
    { to: '/moderation', name: 'Moderation', icon: 'warning' },
  ],
}

const ORDERS = {
  protect: [PROTECT, WATCH, RUN, REVIEW],
  run: [RUN, WATCH, PROTECT, REVIEW],
  review: [REVIEW, WATCH, RUN, PROTECT],
} as const

/**
 * The main menu, beginning with what an account is here for. Everybody reaches the same pages, except that only operators
 * review.
 *
 * @param role What the account has chosen in the first steps; anything else counts as running agents.
 */
export function listPlaces(role: string | null, isOperator: boolean): readonly PlaceGroup[] {
  const order = role === 'protect' || role === 'review' ? ORDERS[role] : ORDERS.run
  return [HOME, ...order.filter((group) => isOperator || group !== REVIEW)]
}

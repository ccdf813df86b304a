/** The steps between the standings of an account or an organisation; `event` is the second part of the event type. */
export const STANDING_STEPS = {
  suspend: { isSuspended: true, status: 'suspended', event: 'suspended' },
  resume: { isSuspended: false, status: 'active', event: 'resumed' },
} as const

export type StandingStep = keyof typeof STANDING_STEPS

import type { Pdlss } from '@svc/core/pdlss/pdlss.ts'

/** An agent's boundary, and an endpoint's that is stricter in some members. */
export const AGENT: Pdlss = {
  purpose: {
    categories: ['shopping', 'data'],
    allowedActions: ['Search', 'shopping:buy'],
    deniedActions: ['wipe'],
  },
  duration: { maxSessionDuration: 3600, ttl: 600, allowedDays: [1, 2], timezone: 'Europe/Berlin' },
  limits: { autonomousThreshold: 100, approvalThreshold: 500, maxTransactionsPerHour: 10, currency: 'USD' },
  scope: { jurisdictions: ['US', 'DE'], resources: ['/a/**'], counterparties: ['shop.example'] },
  selfInstantiation: { allowed: true, maxDepth: 2 },
}
export const ENDPOINT: Pdlss = {
  purpose: {
    categories: ['Shopping'],
    allowedActions: ['shopping.search', 'refund'],
    deniedActions: ['drop'],
  },
  duration: { maxSessionDuration: 1800, allowedHours: { start: 9, end: 17 } },
  limits: { stepUpThreshold: 300, maxTransactionsPerHour: 20, maxCumulativeSpend: 1000 },
  scope: { jurisdictions: ['de'], deniedResources: ['/a/x'], requiredCertifications: ['SOC-2'] },
  selfInstantiation: { maxDepth: 1, requireApproval: true },
}

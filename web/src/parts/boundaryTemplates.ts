import type { BodyOf } from '@svc/core/contract/operations.ts'
import type { Boundary } from './pdlss/boundaryDimensions.ts'

type ApprovalRules = NonNullable<BodyOf<'POST /api/registration-requests'>['approvalRules']>

/** A boundary to begin with, and a purpose that lies within it. */
type BoundaryTemplate = {
  name: string
  effect: string
  pdlss: Boundary
  /** What the owner is asked, unless it is only about spend. */
  approvalRules?: ApprovalRules
  purpose: string
}

/** Boundaries to begin with, in the order in which they are offered. */
export const boundaryTemplates = {
  shopping: {
    name: 'Shopping up to 50',
    effect: 'Shops for less than €50 on its own, asks you below €500, and never spends more. Nothing else.',
    pdlss: {
      purpose: { categories: ['shopping'] },
      limits: { autonomousThreshold: 50, approvalThreshold: 500, currency: 'EUR' },
    },
    purpose: 'shopping:browse',
  },
  reading: {
    name: 'Read only',
    effect: 'Reads data. It can change nothing and spend nothing.',
    pdlss: {
      purpose: { categories: ['read_data'] },
      limits: { autonomousThreshold: 0, approvalThreshold: 0, currency: 'EUR' },
    },
    purpose: 'read_data:list',
  },
  asking: {
    name: 'Ask me for everything',
    effect: 'Every request waits until you approve it with your passkey.',
    pdlss: { limits: { autonomousThreshold: 0, approvalThreshold: 10_000, currency: 'EUR' } },
    approvalRules: [
      { dimension: 'purpose', match: {} },
      { dimension: 'spend', match: {} },
    ],
    purpose: 'read_data:list',
  },
  custom: {
    name: 'Custom',
    effect: 'Set every rule yourself.',
    pdlss: {},
    purpose: 'read_data:list',
  },
} as const satisfies Record<string, BoundaryTemplate>

/** The name of a template in code. */
export type TemplateName = keyof typeof boundaryTemplates

import { parseRequestFields } from '@svc/core/access/verificationRequest.ts'
import { compilePolicyEvaluator, type Evaluation } from '@svc/core/policyFile/compilePolicyEvaluator.ts'

/** What the visitor can have the sample agent try. */
export const SAMPLE_PURPOSES = [
  { value: 'shopping:buy', label: 'Buy shoes' },
  { value: 'finance:transfer', label: 'Send money' },
] as const

export type SamplePurpose = (typeof SAMPLE_PURPOSES)[number]['value']

/** Both sides of the sample: what the agent's owner allows, and what the shop accepts. Amounts are in `currency`. */
export const SAMPLE = {
  currency: 'EUR',
  agent: { autonomousThreshold: 50, approvalThreshold: 500 },
  shop: { approvalThreshold: 400 },
} as const

const decide = compilePolicyEvaluator({
  version: '1',
  pdlss: { purpose: { categories: ['shopping'] }, limits: { ...SAMPLE.agent, currency: SAMPLE.currency } },
  endpoint: { pdlss: { limits: { ...SAMPLE.shop, currency: SAMPLE.currency } } },
})

/**
 * Decides a sample request with the code that decides real ones: it needs no service, sends nothing and records nothing.
 *
 * @param now Epoch milliseconds.
 * @throws Error if the request is none, which the controls of the page rule out.
 */
export function decideSample(purpose: SamplePurpose, transactionValue: number, now: number): Evaluation {
  const parsed = parseRequestFields({ purpose, transactionValue, currency: SAMPLE.currency })
  if (!parsed.ok) throw new Error('the sample is not a request')
  return decide(parsed.request, now)
}

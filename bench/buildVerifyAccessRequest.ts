import type { LoadRequest } from './load/loadRequest.ts'

type Names = { apiKey: string; svceId: string; agentId?: string }

/**
 * Builds the request of the load: an agent spends within all of its limits, or, without `agentId`, a caller without an
 * identity requests the same.
 */
export function buildVerifyAccessRequest({ apiKey, svceId, agentId }: Names): LoadRequest {
  return {
    path: '/api/agents/verify-access',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      agentId,
      counterpartyId: svceId,
      purpose: 'financial_transaction.purchase',
      resource: '/orders/2025/17',
      transactionValue: 12.5,
      currency: 'USD',
    }),
    expected: '"recommendation":"grant"',
  }
}

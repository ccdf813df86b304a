import type { ApprovalCounterparty } from '@svc/core/contract/approvals.ts'
import { normaliseUrl } from '@svc/core/url/url.ts'
import type { StoredApproval } from '../../store/approvals/approvalStore.ts'
import type { EndpointStore } from '../../store/endpoints/endpointStore.ts'
import type { ApprovalRequest } from './buildApprovalRecord.ts'

/**
 * Describes the counterparty of an approval as it is now, whoever owns it: consent needs a name and a host, unlike the
 * activity feed, which masks them. An endpoint that is not stored has only the URL that the request named.
 */
export async function describeCounterparty(
  endpoints: Pick<EndpointStore, 'byAnyId'>,
  approval: Pick<StoredApproval, 'endpointId' | 'request'>,
): Promise<ApprovalCounterparty> {
  const request = JSON.parse(approval.request) as ApprovalRequest
  const endpoint = approval.endpointId === null ? null : await endpoints.byAnyId(approval.endpointId)
  if (endpoint) {
    const { name, host, url, counterpartyType, tier, status, createdAt } = endpoint
    const known = { verificationTier: tier, status, knownSince: new Date(createdAt).toISOString() }
    return { name, host, url: request.counterpartyUrl ?? url, counterpartyType, ...known }
  }
  const named = normaliseUrl(request.counterpartyUrl ?? '')
  return {
    name: null,
    host: named.ok ? named.host : null,
    url: named.ok ? named.url : null,
    counterpartyType: request.counterpartyType ?? null,
    ...{ verificationTier: 'unknown', status: null, knownSince: null },
  }
}

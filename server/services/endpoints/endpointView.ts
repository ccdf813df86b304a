import type { EndpointRow } from '../../store/endpoints/endpointStore.ts'

/** An endpoint as its owner sees it, with only the last four characters of the webhook secret. */
export type EndpointView = ReturnType<typeof toEndpointView>

/** Shows an endpoint to its owner. Source: `Spec: Endpoint (counterparty)`. */
export function toEndpointView(endpoint: EndpointRow) {
  return {
    id: endpoint.id,
    svceId: endpoint.svceId,
    organizationId: endpoint.ownerId.startsWith('SVCO-') ? endpoint.ownerId : null,
    ownerIdentifier: endpoint.ownerId,
    verificationTier: endpoint.tier,
    status: endpoint.status,
    counterpartyType: endpoint.counterpartyType,
    name: endpoint.name,
    counterpartyUrl: endpoint.url,
    trustScoreRequirement: endpoint.trustScoreRequirement,
    unverifiedAgentPolicy: endpoint.unverifiedAgentPolicy,
    requiredFacts: endpoint.requiredFacts,
    minIdentityProof: endpoint.minIdentityProof,
    authorities: endpoint.authorities,
    includeReceipt: endpoint.includeReceipt,
    pdlss: endpoint.pdlss,
    routes: endpoint.routes,
    webhookSecret: endpoint.webhookSecret === null ? null : `whsec_****${endpoint.webhookSecretLastFour}`,
    webhookUrl: endpoint.webhookUrl,
    createdAt: new Date(endpoint.createdAt).toISOString(),
    updatedAt: new Date(endpoint.updatedAt).toISOString(),
  }
}

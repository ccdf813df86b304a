import { buildAuditProofVectors } from './buildAuditProofVectors.ts'
import { buildGatewayVectors } from './buildGatewayVectors.ts'
import { buildProofVectors, type ReadStored } from './buildProofVectors.ts'
import { buildReceiptVectors } from './buildReceiptVectors.ts'
import { buildRefusedProofVectors } from './buildRefusedProofVectors.ts'
import { buildRouteVectors } from './buildRouteVectors.ts'
import { buildSignedRequestVectors } from './buildSignedRequestVectors.ts'
import { buildWebhookVectors } from './buildWebhookVectors.ts'

/**
 * Builds the files of `test/vectors`, as texts by name: what the TypeScript implementation does with fixed keys and times,
 * for implementations in other languages to be checked against.
 */
export async function buildVectors(readStored: ReadStored): Promise<Record<string, string>> {
  const proofs = await buildProofVectors(readStored)
  const vectors = {
    ...proofs,
    ...(await buildRefusedProofVectors(proofs)),
    receipts: buildReceiptVectors(),
    'signed-requests': await buildSignedRequestVectors(),
    webhooks: buildWebhookVectors(),
    'audit-proofs': buildAuditProofVectors(),
    routes: buildRouteVectors(),
    gateway: await buildGatewayVectors(),
    // Values that the protocols print in their own repositories, which each part names as its source.
    mandates: readStored('mandates'),
  }
  return Object.fromEntries(
    Object.entries(vectors).map(([name, vector]) => [name, `${JSON.stringify(vector, null, 2)}\n`]),
  )
}

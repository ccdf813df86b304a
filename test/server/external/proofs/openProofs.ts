import type { VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import { parseVerificationRequest } from '@svc/core/access/verificationRequest.ts'
import { createProofVerifier } from '../../../../server/external/proofs/createProofVerifier.ts'
import { importProofKeys } from '../../../../server/external/proofs/importProofKeys.ts'
import type { ProvableAgent } from '../../../../server/external/proofs/proof.ts'
import {
  createSignatureVerifier,
  type VerifyContractSignature,
} from '../../../../server/external/signatureVerifier.ts'
import { createAgentKey } from '../../../builders/createAgentKey.ts'

export const SVC_ID = 'SVC-4f6K2mQ9xT1vB7nR3sW8yZ'
export const SVCE_ID = 'SVCE-7hD3pL5wC9kN2rX6bV1tQm'
export const NOW = Date.UTC(2026, 10, 24, 12)
/** Unix seconds. */
export const SECONDS = NOW / 1000
export const URL_OF_ORDER = 'https://shop.example/orders/7?lang=de'

/** The endpoint of the tests. */
export const AUDIENCE = { svceId: SVCE_ID, authorities: ['shop.example', 'api.shop.example:8443'] }

/** Opens a verifier for an agent with one active key for each algorithm and a revoked one. */
export async function openProofs(verifyContractSignature: VerifyContractSignature | null = null) {
  const [ed25519, p256, revoked] = [createAgentKey(), createAgentKey('P-256'), createAgentKey()] as const
  const rows = [ed25519, p256, revoked].map(({ kid, jwk }) => ({
    ...{ kid, jwk, revokedAt: kid === revoked.kid ? NOW - 1 : null },
  }))
  const agent: ProvableAgent = {
    ...{ svcId: SVC_ID, names: [SVC_ID], keys: await importProofKeys(rows) },
    ...{ accounts: [], obtainers: [], hasForeignAccounts: false },
  }
  const verify = createProofVerifier({
    recoverSigner: createSignatureVerifier({ verifyContractSignature }).recoverSigner,
    agentTokens: { verifyFor: async () => 'malformed' },
  })
  return {
    ...{ ed25519, p256, revoked, agent },
    /** Checks what a request presents; `changes` replaces fields of verify-access, `as` the agent. */
    check(fields: object, { as = agent, audience = AUDIENCE, now = NOW } = {}) {
      return verify({ agent: as, audience, request: parseFields(fields), now })
    },
  }
}

function parseFields(fields: object): VerificationRequest {
  const parsed = parseVerificationRequest({ agentId: SVC_ID, counterpartyId: SVCE_ID, ...fields })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
  return parsed.request
}

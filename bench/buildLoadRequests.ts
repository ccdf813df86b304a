import { buildVerifyAccessRequest } from './buildVerifyAccessRequest.ts'
import type { LoadRequest } from './load/loadRequest.ts'
import type { VerifyAccessNames } from './setUpVerifyAccess.ts'

/** The requests with which our service is loaded, all of them for the same purchase. */
export type LoadRequests = {
  /** By an agent that has no keys. */
  readonly verified: LoadRequest
  /** By an agent that signs each of its requests. */
  readonly signed: LoadRequest
  /** The same, with a receipt in each answer. */
  readonly receipt: LoadRequest
  /** By a caller without an identity. */
  readonly anonymous: LoadRequest
}

/** Builds the requests of the load for a service that `setUpVerifyAccess` has set up. */
export function buildLoadRequests(names: VerifyAccessNames): LoadRequests {
  const { signer } = names
  const asked = buildVerifyAccessRequest({ ...names, agentId: signer.agentId })
  const body = JSON.stringify({ ...JSON.parse(asked.body), includeReceipt: true })
  return {
    verified: buildVerifyAccessRequest(names),
    signed: { ...asked, signer, expected: '"identityProof":"signature"' },
    receipt: { ...asked, body, signer, expected: '"receipt":"ey' },
    anonymous: buildVerifyAccessRequest({ ...names, agentId: undefined }),
  }
}

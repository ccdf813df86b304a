import { type SentRequest, signAsAgent } from '../../../builders/signAsAgent.ts'
import { openProofs, SECONDS, SVC_ID, URL_OF_ORDER } from './openProofs.ts'

export type RequestSignatures = Awaited<ReturnType<typeof openRequestSignatures>>

/** A request of the agent, as its builder takes it. */
export const sent = (varied: Partial<SentRequest> = {}): SentRequest => ({
  ...{ svcId: SVC_ID, url: URL_OF_ORDER, created: SECONDS, ...varied },
})

/** Both signatures on one request, the second under another label. */
export const both = (one: SignedRequest, other: SignedRequest) => ({
  ...one,
  signature: `${one.signature}, a${other.signature.slice(3)}`,
  signatureInput: `${one.signatureInput}, a${other.signatureInput.slice(3)}`,
})

type SignedRequest = ReturnType<typeof signAsAgent>

/** Opens a verifier of proofs, and signs requests by the keys of its agent. */
export async function openRequestSignatures() {
  const proofs = await openProofs()
  type Changes = Parameters<typeof proofs.check>[1]
  const check = (callerMetadata: object, more?: Changes) => proofs.check({ callerMetadata }, more)
  return {
    proofs,
    check,
    signed: (varied: Partial<SentRequest> = {}, key = proofs.ed25519) => signAsAgent(key, sent(varied)),
    faultOf: async (callerMetadata: object, more?: Changes) => (await check(callerMetadata, more)).fault,
  }
}

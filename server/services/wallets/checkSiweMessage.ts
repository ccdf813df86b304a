import { apiError, validationError } from '../../errors.ts'
import type { SiweMessage } from '../../external/readSiweMessage.ts'
import type { SignatureVerifier } from '../../external/signatureVerifier.ts'

export type CheckSiweMessageDeps = {
  readSiweMessage(text: string): SiweMessage | null
  signatures: Pick<SignatureVerifier, 'recoverSigner'>
  /** The chain whose contract wallets verify signatures. */
  chainId(): Promise<number>
  /** URL of the dashboard, the site that asks wallets to sign. */
  appUrl: string
}

export type CheckSiweMessageInput = {
  message: string
  signature: string
  /** Epoch milliseconds. */
  now: number
}

/** Maximum difference between the clock of the signing page and ours. */
const SKEW_MS = 60_000
const AGE_MAX_MS = 5 * 60_000

/**
 * Verifies a signed EIP-4361 message except for its nonce, which is checked when it is consumed.
 *
 * @throws ApiError VALIDATION_ERROR for anything that is not such a message, invalid_signature for another site or signer,
 * WRONG_CHAIN, signature_expired outside its validity. Source: EIP-4361 "Verifying message".
 */
export async function checkSiweMessage(
  deps: CheckSiweMessageDeps,
  { message: text, signature, now }: CheckSiweMessageInput,
): Promise<{ address: `0x${string}`; nonce: string }> {
  const message = deps.readSiweMessage(text)
  if (!message) {
    throw validationError([{ pointer: '/message', code: 'siwe', message: 'is not an EIP-4361 message' }])
  }
  refuseOtherSite(message, new URL(deps.appUrl))
  const chainId = await deps.chainId()
  if (message.chainId !== chainId) {
    const expected = `Chain ID: got ${message.chainId}, expected ${chainId}; switch the wallet and sign again.`
    throw apiError('WRONG_CHAIN', { message: expected })
  }
  refuseOtherTime(message, now)
  const signer = await deps.signatures.recoverSigner(text, signature, message.address)
  if (!signer)
    throw apiError('invalid_signature', { message: 'The signature does not belong to the address.' })
  return { address: signer, nonce: message.nonce }
}

function refuseOtherSite({ domain, scheme, uri }: SiweMessage, site: URL): void {
  if (domain !== site.host) throw refuse(`domain: got ${domain}, expected ${site.host}`)
  if (scheme !== null && `${scheme}:` !== site.protocol) throw refuse(`scheme: got ${scheme}`)
  const origin = URL.canParse(uri) ? new URL(uri).origin : uri
  if (origin !== site.origin) throw refuse(`URI: got ${uri}, expected one under ${site.origin}`)
}

function refuseOtherTime({ issuedAt, expiresAt, notBefore }: SiweMessage, now: number): void {
  const isFresh = issuedAt <= now + SKEW_MS && now - issuedAt <= AGE_MAX_MS
  if (isFresh && (expiresAt === null || now < expiresAt) && (notBefore === null || now >= notBefore)) return
  throw apiError('signature_expired', { message: 'The message is not valid at this time; sign a new one.' })
}

function refuse(message: string) {
  return apiError('invalid_signature', { message })
}

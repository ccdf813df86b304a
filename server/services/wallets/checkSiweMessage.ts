import { apiError, validationError } from '../../errors.ts'
import type { SiweMessage } from '../../external/readSiweMessage.ts'
import type { SignatureVerifier } from '../../external/signatureVerifier.ts'

export type CheckSiweMessageDeps = {
  readSiweMessage(text: string): SiweMessage | null
  signatures: Pick<SignatureVerifier, 'recoverSigner'>
  /** Of the chain whose contract wallets are asked. */
  chainId(): Promise<number>
  /** Address of the dashboard, the site that asks wallets to sign. */
  appUrl: string
}

export type CheckSiweMessageInput = {
  message: string
  signature: string
  /** Epoch milliseconds. */
  now: number
}

/** How far the clock of a wallet's page may be from ours. */
const SKEW_MS = 60_000
const AGE_MAX_MS = 5 * 60_000

/**
 * Checks all of a signed EIP-4361 message but that its nonce is open, which its use decides.
 *
 * @throws ApiError VALIDATION_ERROR for what is no such message, invalid_signature for one to another site or chain
 * or of another signer, signature_expired outside its times. Source: EIP-4361 "Verifying message".
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
  if (message.chainId !== chainId) throw refused(`Chain ID: got ${message.chainId}, expected ${chainId}`)
  refuseOtherTime(message, now)
  const signer = await deps.signatures.recoverSigner(text, signature, message.address)
  if (!signer) throw apiError('invalid_signature', { message: 'The signature is not the address’s.' })
  return { address: signer, nonce: message.nonce }
}

function refuseOtherSite({ domain, scheme, uri }: SiweMessage, site: URL): void {
  if (domain !== site.host) throw refused(`domain: got ${domain}, expected ${site.host}`)
  if (scheme !== null && `${scheme}:` !== site.protocol) throw refused(`scheme: got ${scheme}`)
  const origin = URL.canParse(uri) ? new URL(uri).origin : uri
  if (origin !== site.origin) throw refused(`URI: got ${uri}, expected one under ${site.origin}`)
}

function refuseOtherTime({ issuedAt, expiresAt, notBefore }: SiweMessage, now: number): void {
  const isFresh = issuedAt <= now + SKEW_MS && now - issuedAt <= AGE_MAX_MS
  if (isFresh && (expiresAt === null || now < expiresAt) && (notBefore === null || now >= notBefore)) return
  throw apiError('signature_expired', { message: 'The message is not good at this time; sign a new one.' })
}

function refused(message: string) {
  return apiError('invalid_signature', { message })
}

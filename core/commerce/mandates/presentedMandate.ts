/** The protocols whose mandates are checked when a payment is verified. Source: docs/mandates.md. */
export const MANDATE_PROTOCOLS = ['ap2', 'x402', 'tap', 'acp', 'ucp'] as const

export type MandateProtocol = (typeof MANDATE_PROTOCOLS)[number]

/** Whether a mandate has a value exactly if its protocol has one: that of `tap` is the signature of the request. */
export function hasDueValue({ protocol, value }: { protocol?: unknown; value?: unknown }): boolean {
  return (protocol === 'tap') === (value === undefined)
}

/** What to say of a mandate without `hasDueValue`. */
export const DUE_VALUE = 'expected a value, except for tap, whose mandate is the signature of the request'

/** A mandate as the counterparty received it. */
export type PresentedMandate = {
  protocol: MandateProtocol
  /** Undefined for `tap`, whose mandate is the signature of the request. */
  value: string | undefined
  /** The account under which the counterparty expects to be paid; undefined if it does not say. */
  payee: string | undefined
  /** It was found among the headers of the request, which may also carry what is no mandate of this agent. */
  isFromHeader: boolean
}

/** Of version 2 and version 1 of x402. */
const X402_HEADERS = ['payment-signature', 'x-payment'] as const
const HEADER_CHARACTERS_MAX = 8192

/**
 * Finds a mandate among the headers that a counterparty reports: of x402 in its own header, of the Trusted Agent Protocol as
 * a signature to pay.
 *
 * Source: x402 v1 and v2, Transport: HTTP; visa/trusted-agent-protocol.
 */
export function findHeaderMandate(
  metadata: Readonly<Record<string, unknown>> | undefined,
): PresentedMandate | undefined {
  if (metadata === undefined) return undefined
  for (const name of X402_HEADERS) {
    const value = metadata[name]
    if (typeof value === 'string' && value !== '' && value.length <= HEADER_CHARACTERS_MAX)
      return { protocol: 'x402', value, payee: undefined, isFromHeader: true }
  }
  const { signature, signatureInput } = metadata
  if (signature === undefined || typeof signatureInput !== 'string') return undefined
  const isToPay = signatureInput.includes('tag="agent-payer-auth"')
  return isToPay ? { protocol: 'tap', value: undefined, payee: undefined, isFromHeader: true } : undefined
}

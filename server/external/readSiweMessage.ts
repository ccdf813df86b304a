import type { Hex } from 'viem'
import { createSiweMessage, parseSiweMessage } from 'viem/siwe'

/** What a wallet was asked to sign; times are epoch milliseconds. Source: EIP-4361. */
export type SiweMessage = {
  scheme: string | null
  /** Authority of the site that asks. */
  domain: string
  /** In EIP-55 spelling. */
  address: Hex
  uri: string
  chainId: number
  nonce: string
  issuedAt: number
  expiresAt: number | null
  notBefore: number | null
}

/** Lines whose times may be written in more than one way. */
const TIMES = /^(Issued At|Expiration Time|Not Before): (.+)$/gm

/**
 * Reads an EIP-4361 message; null when it is none.
 *
 * What was read is written again and compared: a message holds what its fields say and nothing besides, so a wallet
 * has shown its user all of it. Source: EIP-4361 "ABNF Message Format".
 */
export function readSiweMessage(text: string): SiweMessage | null {
  try {
    const fields = parseSiweMessage(text)
    const { domain, address, uri, version, chainId, nonce, issuedAt } = fields
    if (!domain || !address || !uri || !version || !chainId || !nonce || !issuedAt) return null
    const whole = { ...fields, domain, address, uri, version, chainId, nonce, issuedAt }
    if (inOneSpelling(createSiweMessage(whole)) !== inOneSpelling(text)) return null
    return {
      scheme: fields.scheme ?? null,
      domain,
      address,
      uri,
      chainId,
      nonce,
      issuedAt: issuedAt.getTime(),
      expiresAt: fields.expirationTime?.getTime() ?? null,
      notBefore: fields.notBefore?.getTime() ?? null,
    }
  } catch {
    // Both directions throw for fields that no message may have, such as a day that is none.
    return null
  }
}

function inOneSpelling(text: string): string {
  return text.replace(TIMES, (_, name: string, time: string) => `${name}: ${new Date(time).toISOString()}`)
}

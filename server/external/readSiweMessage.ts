import type { Hex } from 'viem'
import { createSiweMessage, parseSiweMessage } from 'viem/siwe'

/** The message that a wallet signed; times are epoch milliseconds. Source: EIP-4361. */
export type SiweMessage = {
  scheme: string | null
  /** Authority of the requesting site. */
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

/** Lines with times, which may be formatted in several ways. */
const TIMES = /^(Issued At|Expiration Time|Not Before): (.+)$/gm

/**
 * Parses an EIP-4361 message; null if it is invalid.
 *
 * The fields are formatted again and compared with the text. So the message has no other content, and the wallet has shown
 * its user everything that it says. Source: EIP-4361 "ABNF Message Format".
 */
export function readSiweMessage(text: string): SiweMessage | null {
  try {
    if (![...text.matchAll(TIMES)].every(([, , time]) => isRealTime(time ?? ''))) return null
    const fields = parseSiweMessage(text)
    const { domain, address, uri, version, chainId, nonce, issuedAt } = fields
    if (!domain || !address || !uri || !version || !chainId || !nonce || !issuedAt) return null
    const whole = { ...fields, domain, address, uri, version, chainId, nonce, issuedAt }
    if (normaliseTimes(createSiweMessage(whole)) !== normaliseTimes(text)) return null
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
    // Parsing and formatting both throw for invalid fields.
    return null
  }
}

/**
 * Whether a day and hour exist: `Date` reads 30 February as 2 March, so that the wallet would show one time and
 * this service use another. Source: RFC 3339 §5.6, §5.7.
 */
function isRealTime(time: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})T(?!24)/i.exec(time) ?? []
  if (Number.isNaN(Date.parse(time))) return false
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
}

function normaliseTimes(text: string): string {
  return text.replace(TIMES, (_, name: string, time: string) => `${name}: ${new Date(time).toISOString()}`)
}

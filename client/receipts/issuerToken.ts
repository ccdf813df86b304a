import { type CompactJws, parseCompactJws } from '@svc/core/credentials/parseCompactJws.ts'
import { RECEIPT_ALGORITHM } from '@svc/core/receipt/receipt.ts'
import type { VerifyingKey } from '../signatures/importVerifyingKey.ts'
import type { IssuerKeys } from './createIssuerKeys.ts'

/** Why something is not a token of the issuer. */
export type IssuerTokenFault =
  | 'malformed'
  | 'wrong_type'
  | 'wrong_algorithm'
  | 'unknown_key'
  | 'keys_unavailable'
  | 'signature_mismatch'

type ParsedToken = { ok: true; token: CompactJws; kid: string } | { ok: false; reason: IssuerTokenFault }

/** Reads tokens that the issuer signed: receipts and status lists. Source: RFC 8725 §3.1, §3.11. */
export const issuerToken = {
  /** Parses a token of this type, without verifying it. */
  parse(text: unknown, type: string): ParsedToken {
    const token = typeof text === 'string' ? parseCompactJws(text) : null
    if (token === null) return { ok: false, reason: 'malformed' }
    const { typ, kid } = token.header
    if (typ !== type) return { ok: false, reason: 'wrong_type' }
    if (token.algorithm !== RECEIPT_ALGORITHM) return { ok: false, reason: 'wrong_algorithm' }
    return typeof kid === 'string' ? { ok: true, token, kid } : { ok: false, reason: 'unknown_key' }
  },

  /** Verifies the signature of a parsed token; null if the issuer made it. Source: RFC 8037 §3.1. */
  async findSignatureFault(
    { token, kid }: { token: CompactJws; kid: string },
    keys: IssuerKeys,
  ): Promise<IssuerTokenFault | null> {
    let key: VerifyingKey | undefined
    try {
      key = await keys.find(kid)
    } catch {
      return 'keys_unavailable'
    }
    if (key === undefined) return 'unknown_key'
    return (await key.verifies(token.signingInput, token.signature)) ? null : 'signature_mismatch'
  },
}

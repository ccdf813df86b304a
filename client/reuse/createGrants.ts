import type { VerificationAnswer } from '@svc/core/contract/verification.ts'
import { addDecimals, compareDecimals } from '@svc/core/decimal.ts'
import { GRANT_USES_MAX, type ReceiptClaims } from '@svc/core/receipt/receipt.ts'
import type { VerifyingKey } from '../signatures/importVerifyingKey.ts'

/** A grant of the service that may answer further requests. */
export type Grant = {
  answer: VerificationAnswer
  claims: ReceiptClaims
  /** The key that signed the request, and has to sign the further ones. */
  key: VerifyingKey
  /** Epoch milliseconds. */
  until: number
  /** The value of the requests that it has answered so far, the first one included. */
  spent: string
  /** How many further requests it has answered. */
  uses: number
  /** Whether it must not be used any more: it is withdrawn, or a use has contradicted it. */
  isDropped: boolean
}

/** The grants at hand, by the requests that they cover. */
export type Grants = ReturnType<typeof createGrants>

const GRANTS_MAX = 10_000

/** Creates the memory of grants of one gateway. The oldest are dropped if there are too many. */
export function createGrants() {
  const grants = new Map<string, Grant>()

  return {
    /** @param at Epoch milliseconds. */
    find(key: string, at: number): Grant | undefined {
      const grant = grants.get(key)
      if (grant === undefined || at < grant.until) return grant
      grants.delete(key)
      return undefined
    },

    set(key: string, grant: Grant): void {
      grants.delete(key)
      grants.set(key, grant)
      for (const oldest of grants.keys()) {
        if (grants.size <= GRANTS_MAX) break
        grants.delete(oldest)
      }
    },

    /** Drops the grants with this audit record, also for requests that are being verified. */
    drop(recordId: string): void {
      for (const [key, grant] of grants) {
        if (grant.claims.jti !== recordId) continue
        grant.isDropped = true
        grants.delete(key)
      }
    },

    /** Takes a use, and the value of its request, from a grant; false, and nothing is taken, if too little is left. */
    spend(grant: Grant, value: number): boolean {
      if (grant.uses >= GRANT_USES_MAX) return false
      if (value !== 0) {
        const spent = addDecimals(grant.spent, value)
        if (compareDecimals(spent, grant.claims.value ?? 0) > 0) return false
        grant.spent = spent
      }
      grant.uses += 1
      return true
    },

    /** Gives back what was taken for a request that was not answered. */
    giveBack(grant: Grant, value: number): void {
      grant.uses -= 1
      grant.spent = addDecimals(grant.spent, -value)
    },
  }
}

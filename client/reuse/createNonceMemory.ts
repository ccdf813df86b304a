/** What makes a signature good for one request: key and nonce in one text, until `expires`, in Unix seconds. */
type SignatureNonce = { signatureId: string; expires: number }

/** Remembers the nonces of signatures until they expire. */
export type NonceMemory = {
  /**
   * Takes the nonce of a signature. It is `seen` if it was taken before, and `unsure` if that cannot be told.
   *
   * @param at Epoch milliseconds.
   */
  take(signature: SignatureNonce, at: number): 'fresh' | 'seen' | 'unsure'
  /** Forgets a nonce that was taken with a signature that turned out not to be valid, unless it has been seen again. */
  release(signature: SignatureNonce): void
}

/**
 * Creates the memory of this process. Once it is full, nothing is sure until the nonces that it could not take have expired.
 *
 * @param nonceMax Default 250,000: about 30 MB, enough for 800 requests per second with signatures for five minutes.
 */
export function createNonceMemory(nonceMax = 250_000): NonceMemory {
  /** The second in which each expires; negative if it is remembered until then in any case. */
  const taken = new Map<string, number>()
  /** The same by second, so that no other has to be looked at. One that has been forgotten stays here until its second. */
  const expiring = new Map<number, string[]>()
  let listed = 0
  let sweptAt = 0
  let unsureUntil = 0

  function sweep(seconds: number): void {
    if (seconds === sweptAt) return
    sweptAt = seconds
    for (const [second, ids] of expiring) {
      if (second > seconds) continue
      expiring.delete(second)
      listed -= ids.length
      for (const id of ids) {
        const expires = Math.abs(taken.get(id) ?? 0)
        if (expires > seconds) list(id, expires)
        else taken.delete(id)
      }
    }
  }

  function list(id: string, expires: number): void {
    listed += 1
    const ids = expiring.get(expires)
    if (ids === undefined) expiring.set(expires, [id])
    else ids.push(id)
  }

  return {
    take({ signatureId: id, expires }, at) {
      const seconds = Math.floor(at / 1000)
      sweep(seconds)
      const known = taken.get(id)
      if (known !== undefined) {
        // An invalid signature with the nonce of a valid one must not make it forgotten, or forgotten earlier.
        taken.set(id, -Math.max(expires, Math.abs(known)))
        return 'seen'
      }
      if (listed >= nonceMax) {
        unsureUntil = Math.max(unsureUntil, expires)
        return 'unsure'
      }
      taken.set(id, expires)
      list(id, expires)
      return seconds < unsureUntil ? 'unsure' : 'fresh'
    },

    release({ signatureId: id }) {
      if ((taken.get(id) ?? 0) > 0) taken.delete(id)
    },
  }
}

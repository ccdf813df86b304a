/** What makes a signature good for one request; `expires` in Unix seconds. */
type SignatureNonce = { keyid: string; nonce: string; expires: number }

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
  /** When each expires, and whether it is remembered until then in any case. */
  const taken = new Map<string, { expires: number; isFinal: boolean }>()
  /** The same by the second in which they expire, so that no other has to be looked at. */
  const expiring = new Map<number, Set<string>>()
  let sweptAt = 0
  let unsureUntil = 0

  function sweep(seconds: number): void {
    if (seconds === sweptAt) return
    sweptAt = seconds
    for (const [second, ids] of expiring) {
      if (second > seconds) continue
      for (const id of ids) taken.delete(id)
      expiring.delete(second)
    }
  }

  function remember(id: string, expires: number, isFinal: boolean): void {
    taken.set(id, { expires, isFinal })
    const ids = expiring.get(expires)
    if (ids === undefined) expiring.set(expires, new Set([id]))
    else ids.add(id)
  }

  function forget(id: string, expires: number): void {
    taken.delete(id)
    expiring.get(expires)?.delete(id)
  }

  return {
    take({ keyid, nonce, expires }, at) {
      const seconds = Math.floor(at / 1000)
      sweep(seconds)
      const id = `${keyid} ${nonce}`
      const known = taken.get(id)
      if (known !== undefined) {
        // An invalid signature with the nonce of a valid one must not make it forgotten, or forgotten earlier.
        forget(id, known.expires)
        remember(id, Math.max(expires, known.expires), true)
        return 'seen'
      }
      if (taken.size >= nonceMax) {
        unsureUntil = Math.max(unsureUntil, expires)
        return 'unsure'
      }
      remember(id, expires, false)
      return seconds < unsureUntil ? 'unsure' : 'fresh'
    },

    release({ keyid, nonce }) {
      const id = `${keyid} ${nonce}`
      const known = taken.get(id)
      if (known?.isFinal === false) forget(id, known.expires)
    },
  }
}

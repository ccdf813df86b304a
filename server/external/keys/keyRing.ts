import { computeKeyThumbprint } from '@svc/core/signing/computeKeyThumbprint.ts'

/** A private key that signs for the registry, P-256 or Ed25519. Source: RFC 7518 §6.2, RFC 8037 §2. */
export type PrivateJwk = { crv: 'P-256' | 'Ed25519'; x: string; y?: string | undefined; d: string }

/** A key and its times, in epoch milliseconds. */
export type RingKey = {
  /** JWK thumbprint. */
  kid: string
  jwk: PrivateJwk
  signsFrom: number
  /**
   * Until when the key before it stays published and its signatures are accepted. If that is no longer than until this one
   * signs, the former one was stolen, and all keys before it end with it.
   */
  formerUntil: number
}

/** The keys of one purpose over time: one signs, the next one is published already, former ones are for a while. */
export type KeyRing = {
  signing(now: number): RingKey
  /** Those whose signatures are accepted: the next, the current and former ones. */
  published(now: number): RingKey[]
  /** Until when signatures of a key are accepted; without end for one that none succeeds, and for an unknown one. */
  acceptedUntil(kid: string): number
  /** Every key that there has been, oldest first. */
  all(): readonly RingKey[]
  /** Replaces the keys after the first. */
  setLater(later: readonly RingKey[]): void
}

/** Creates a ring; the first key has always signed. */
export function createKeyRing(first: PrivateJwk): KeyRing {
  const oldest = toRingKey(first, { signsFrom: Number.NEGATIVE_INFINITY, formerUntil: 0 })
  let keys = [oldest]
  let ends = new Map<string, number>()
  const acceptedUntil = (kid: string): number => ends.get(kid) ?? Number.POSITIVE_INFINITY
  return {
    signing: (now) => keys.findLast(({ signsFrom }) => signsFrom <= now) ?? oldest,
    published: (now) => keys.filter(({ kid }) => acceptedUntil(kid) > now),
    acceptedUntil,
    all: () => keys,
    setLater(later) {
      keys = [oldest, ...later.toSorted((a, b) => a.signsFrom - b.signsFrom)]
      ends = new Map(keys.map(({ kid }, i) => [kid, endBefore(keys.slice(i + 1))]))
    },
  }
}

/** When the key before these ends: with its successor, or earlier if a later key replaced a stolen one. */
function endBefore([next, ...later]: readonly RingKey[]): number {
  const stolen = later.filter(({ signsFrom, formerUntil }) => formerUntil <= signsFrom)
  return Math.min(...(next ? [next, ...stolen] : []).map(({ formerUntil }) => formerUntil))
}

export function toRingKey(jwk: PrivateJwk, times: Pick<RingKey, 'signsFrom' | 'formerUntil'>): RingKey {
  const { kid } = toPublicJwk(jwk)
  return { kid: String(kid), jwk, ...times }
}

/** The key that others verify with. Source: RFC 7517 §4. */
export function toPublicJwk({ crv, x, y = '' }: PrivateJwk): Record<string, string> {
  if (crv === 'Ed25519') {
    const key = { kty: 'OKP', crv, x } as const
    return { ...key, kid: computeKeyThumbprint(key), use: 'sig', alg: 'EdDSA' }
  }
  const key = { kty: 'EC', crv, x, y } as const
  return { ...key, kid: computeKeyThumbprint(key), use: 'sig', alg: 'ES256' }
}

/** Makes something of each key once. */
export function createPerKey<Made>(make: (jwk: PrivateJwk) => Made): (key: RingKey) => Made {
  const made = new Map<string, Made>()
  return ({ kid, jwk }) => {
    const known = made.get(kid)
    if (known !== undefined) return known
    const fresh = make(jwk)
    made.set(kid, fresh)
    return fresh
  }
}

import { networkOf } from '@svc/core/url/ipAddress.ts'
import { apiError } from '../errors.ts'

/**
 * What an operation waits for: `check` for something that the caller wants to have checked, of which a person has few at
 * once; `decision` for what is needed to decide about a request, of which a busy counterparty has many.
 */
export type HostWait = 'check' | 'decision'

/** Whom a wait counts for: the person, as in a rate budget, and the address. */
type PlaceHolder = { account: string; ip: string }

/** The places for operations that wait for hosts which users name. */
export type HostPlaces = {
  /**
   * Does the work in a place, which is free again when the work ends, whatever becomes of the client.
   *
   * @throws ApiError RATE_LIMITED with `Retry-After`, before the work begins, if there is no place.
   */
  hold<Result>(wait: HostWait, holder: PlaceHolder, work: () => Promise<Result>): Promise<Result>
}

/** How many of each may wait at once: for a person, for a network, and in all. */
type Bounds = { person: number; network: number; all: number }

const CHECKS = { person: 4, network: 16 }
/** The parts of the places for requests, so that most of them stay for requests that wait for nobody. */
const CHECKS_SHARE = 1 / 8
const DECISIONS_SHARES: Bounds = { person: 1 / 32, network: 1 / 16, all: 1 / 4 }
/** Most hosts that are slow have responded by then, or their time is up. */
const RETRY_SECONDS = 5

/**
 * Bounds how many requests wait at once for hosts that users name, per person, per network and in all.
 *
 * Such a host may hold each request for seconds. Without the bound, one person with a silent host and many keys could occupy
 * every place of the load gate, and nobody else would be served.
 *
 * @param maxAtOnce The places for requests, of which these are a part (`createLoadGate`).
 */
export function createHostPlaces(maxAtOnce: number): HostPlaces {
  const part = (share: number) => Math.max(1, Math.floor(maxAtOnce * share))
  const { person, network, all } = DECISIONS_SHARES
  const rooms = {
    check: createRoom({ ...CHECKS, all: part(CHECKS_SHARE) }),
    decision: createRoom({ person: part(person), network: part(network), all: part(all) }),
  }
  return {
    async hold(wait, { account, ip }, work) {
      const leave = rooms[wait].enter(account, networkOf(ip))
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}

function createRoom({ person, network, all }: Bounds) {
  const people = new Map<string, number>()
  const networks = new Map<string, number>()
  let taken = 0
  return {
    /** Takes a place, and returns how to leave it. */
    enter(account: string, from: string): () => void {
      const [ofPerson, ofNetwork] = [people.get(account) ?? 0, networks.get(from) ?? 0]
      if (ofPerson >= person || ofNetwork >= network || taken >= all) throw noPlace()
      people.set(account, ofPerson + 1)
      networks.set(from, ofNetwork + 1)
      taken += 1
      return () => {
        takeOne(people, account)
        takeOne(networks, from)
        taken -= 1
      }
    },
  }
}

function takeOne(counts: Map<string, number>, name: string): void {
  const left = (counts.get(name) ?? 0) - 1
  if (left > 0) counts.set(name, left)
  else counts.delete(name)
}

function noPlace(): Error {
  return apiError('RATE_LIMITED', {
    message: 'Too many requests are waiting for other hosts.',
    headers: { 'Retry-After': String(RETRY_SECONDS) },
  })
}

import { apiError } from '../errors.ts'

/** Decides whether another request is processed. */
export type LoadGate = {
  /** Admits a request; null if there is no room. The returned place must be left. */
  enter(): GatePlace | null
}

/** The place of an admitted request. */
export type GatePlace = {
  /**
   * Releases the place while waiting for something that only the client can send.
   *
   * @throws ApiError SERVICE_UNAVAILABLE if too many are waiting.
   */
  stepAside(): void
  /**
   * Takes the place again after `stepAside`.
   *
   * @throws ApiError SERVICE_UNAVAILABLE if there is no room left.
   */
  stepBack(): void
  leave(): void
}

const message = 'Too many concurrent requests'

/**
 * Bounds the number of requests processed concurrently, so that under overload admitted requests are answered as quickly as
 * ever, memory stays bounded, and all others immediately learn when to retry.
 *
 * As many again may wait for the rest of a body, separately: otherwise clients that send slowly would occupy all places at
 * no cost.
 *
 * Source: docs/reliability.md rows 15 and 22.
 */
export function createLoadGate(max: number): LoadGate {
  const inside = createRoom(max)
  const aside = createRoom(max)
  return {
    enter() {
      if (!inside.enter()) return null
      let held: Room | null = inside
      const move = (to: Room) => {
        if (held === to) return
        held?.leave()
        held = null
        if (!to.enter()) throw apiError('SERVICE_UNAVAILABLE', { message })
        held = to
      }
      return {
        stepAside: () => move(aside),
        stepBack: () => move(inside),
        leave() {
          held?.leave()
          held = null
        },
      }
    },
  }
}

type Room = { enter(): boolean; leave(): void }

function createRoom(max: number): Room {
  let taken = 0
  return {
    enter() {
      if (taken >= max) return false
      taken += 1
      return true
    },
    leave() {
      taken -= 1
    },
  }
}

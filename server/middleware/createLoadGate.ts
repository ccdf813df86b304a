import { apiError } from '../errors.ts'

/** Decides whether one more request is worked on. */
export type LoadGate = {
  /** A place inside, which has to be left; null when there is no room. */
  enter(): GatePlace | null
}

/** What one request holds of the gate. */
export type GatePlace = {
  /**
   * Waits outside for what only the client can send.
   *
   * @throws ApiError SERVICE_UNAVAILABLE when too many wait there.
   */
  stepAside(): void
  /**
   * Comes in again, if it had stepped aside.
   *
   * @throws ApiError SERVICE_UNAVAILABLE when there is no room any more.
   */
  stepBack(): void
  leave(): void
}

const message = 'More requests than can be worked on at once'

/**
 * Bounds how many requests are worked on at once, so that under more load than can be served those that are let in are
 * answered as quickly as ever, memory stays bounded, and the others hear at once when to come again.
 *
 * As many again may wait for the rest of a body, apart from the others: clients that send theirs slowly would hold
 * all places without costing anybody anything.
 *
 * Source: faults.md rows 15 and 22.
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

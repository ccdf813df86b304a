import { apiError } from '../../errors.ts'
import type { ActivityStore } from '../../store/feed/activityStore.ts'
import { createFollower, type Follower } from './createFollower.ts'

export type ActivityFeedDeps = {
  activity: Pick<ActivityStore, 'partiesWithNews'>
  onFailure(error: unknown): void
  limits: { perCaller: number; all: number }
}

export type ActivityFeed = ReturnType<typeof createActivityFeed>

/**
 * Wakes the followers of the activity feed when there is something for them.
 *
 * The projection's thread reports how far it has filled the feed; one index look-up per followed party finds the parties
 * concerned, and only their followers read. Nothing is read while nothing happens or nobody follows.
 */
export function createActivityFeed({ activity, onFailure, limits }: ActivityFeedDeps) {
  /** Followers with their credentials. */
  const holders = new Map<Follower, string>()
  let end = 0
  let told = 0
  let looking = false
  let closed = false

  async function tell(): Promise<void> {
    if (looking) return
    looking = true
    try {
      while (told < end && holders.size > 0) await tellUpTo(end)
    } catch (error) {
      onFailure(error)
      for (const follower of holders.keys()) follower.notify()
    } finally {
      told = end
      looking = false
    }
  }

  async function tellUpTo(toSeq: number): Promise<void> {
    const followed = new Set([...holders.keys()].flatMap(({ parties }) => [...parties]))
    const concerned = await activity.partiesWithNews([...followed], { fromSeq: told, toSeq })
    told = toSeq
    for (const follower of holders.keys()) {
      if ([...follower.parties].some((party) => concerned.has(party))) follower.notify()
    }
  }

  return {
    /** The position up to which the feed is filled. */
    end: () => end,

    /** Reports how far the feed is filled; a lower position than before means that it is being rebuilt. */
    advance(nextSeq: number): void {
      told = Math.min(told, nextSeq)
      end = nextSeq
      void tell()
    },

    /**
     * Follows the feed under a credential.
     *
     * @throws ApiError RATE_LIMITED if the credential has too many streams, SERVICE_UNAVAILABLE if the service has.
     */
    follow(holder: string, parties: ReadonlySet<string>): Follower {
      if (closed || holders.size >= limits.all) throw apiError('SERVICE_UNAVAILABLE')
      const own = [...holders.values()].filter((other) => other === holder).length
      if (own >= limits.perCaller) {
        const message = 'As many streams are open with this credential as may be; close one first.'
        throw apiError('RATE_LIMITED', { message, headers: { 'Retry-After': '60' } })
      }
      const follower = createFollower(parties)
      holders.set(follower, holder)
      return follower
    },

    leave(follower: Follower): void {
      holders.delete(follower)
    },

    /** Ends every stream when the service stops. */
    close(): void {
      closed = true
      for (const follower of holders.keys()) follower.end()
    },
  }
}

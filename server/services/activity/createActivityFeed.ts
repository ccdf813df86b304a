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
 * Wakes those who follow the activity feed when there is something for them.
 *
 * The projection's thread tells how far it has filled the feed; a look into an index for each followed party then finds
 * whom that concerns, and only their followers look. Nobody looks while nothing happens or while nobody follows.
 */
export function createActivityFeed({ activity, onFailure, limits }: ActivityFeedDeps) {
  /** Who follows, and under which credential. */
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
    /** The place up to which the feed is filled. */
    end: () => end,

    /** The feed is filled up to a place; a lower one than before means that it is built anew. */
    advance(nextSeq: number): void {
      told = Math.min(told, nextSeq)
      end = nextSeq
      void tell()
    },

    /**
     * Follows the feed under a credential.
     *
     * @throws ApiError RATE_LIMITED when the credential has as many streams as one may, SERVICE_UNAVAILABLE when there are
     *   as many as there may be.
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

    /** Ends every stream: the service stops. */
    close(): void {
      closed = true
      for (const follower of holders.keys()) follower.end()
    },
  }
}

import type { ActivityCounts, CountActivityInput } from './countActivity.ts'
import type { ActivityStream, FollowActivityInput } from './followActivity.ts'
import type { ActivityQuery, listActivity } from './listActivity.ts'

/** The use cases around the activity feed, with their dependencies bound. */
export type ActivityServices = {
  list(input: ActivityQuery): ReturnType<typeof listActivity>
  count(input: CountActivityInput): Promise<ActivityCounts>
  follow(input: FollowActivityInput): Promise<ActivityStream>
}

import type { ActivityStream, FollowActivityInput } from './followActivity.ts'
import type { ActivityQuery, listActivity } from './listActivity.ts'

/** The use cases around the activity feed, with their dependencies bound. */
export type ActivityServices = {
  list(input: ActivityQuery): ReturnType<typeof listActivity>
  follow(input: FollowActivityInput): Promise<ActivityStream>
}

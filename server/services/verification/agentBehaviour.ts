import { type ActivityFacts, addOutcome } from '@svc/core/trustScore.ts'

/** What an agent has done, as far as this process knows. */
export type AgentBehaviour = {
  activity(): ActivityFacts | undefined
  /** Counts a recorded outcome; `now` in epoch milliseconds. */
  count(outcome: { granted: boolean; violated: boolean; sourceId: string }, now: number): void
}

/**
 * Goes on in memory from what the projection has counted: every outcome is in the log as well, so a restart counts the
 * same again.
 */
export function createAgentBehaviour(counted: ActivityFacts | undefined): AgentBehaviour {
  let activity = counted
  return {
    activity: () => activity,
    count({ granted, violated, sourceId }, now) {
      if (granted) activity = addOutcome(activity, { kind: 'granted', sourceId }, now)
      else if (violated) activity = addOutcome(activity, { kind: 'violation', sourceId }, now)
    },
  }
}

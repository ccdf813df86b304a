import { z } from 'zod'
import { pageAnswer, success } from './envelope.ts'

/**
 * Schema of an event in responses, as one of its parties sees it. Source: `Spec: Activity views`.
 *
 * The categories relate the other side to the viewer: the caller as the endpoint's owner sees it, and the endpoint as the
 * agent's owner sees it. Null if the event has no such side: the registration of an agent has no endpoint.
 */
export const eventSchema = z.object({
  id: z.string(),
  auditRecordId: z.string(),
  eventType: z.string(),
  occurredAt: z.string(),
  agentId: z.string().nullable(),
  endpointId: z.string().nullable(),
  callerCategory: z.enum(['internally_governed', 'externally_governed', 'ungoverned']).nullable(),
  endpointCategory: z.enum(['internal', 'external', 'unregistered']).nullable(),
  /** Its members depend on the type of the event, and types are added over time. */
  eventData: z.record(z.string(), z.unknown()),
})

/** An event, as one of its parties sees it. */
export type ActivityEvent = z.output<typeof eventSchema>

/** What a request came to. */
export const ACTIVITY_OUTCOMES = ['granted', 'held', 'denied'] as const

/** What a request came to, in plain words. */
export type ActivityOutcome = (typeof ACTIVITY_OUTCOMES)[number]

/** Schema of an event in the activity: with its purchase, and under the present name of its endpoint. */
export const activityItemSchema = eventSchema.extend({
  /** All events of one request have the same; the event’s own id if it stands by itself. */
  purchaseId: z.string(),
  /** What the event says that its request came to; null if it says nothing about it. */
  outcome: z.enum(ACTIVITY_OUTCOMES).nullable(),
  /** The endpoint’s present name for its owner, otherwise the one in the event; null if it is not shown. */
  endpointName: z.string().nullable(),
  /** What the purchase has come to so far; only in a list with one event per purchase. */
  purchaseOutcome: z.enum(ACTIVITY_OUTCOMES).nullable().optional(),
})

/** An event of the activity. */
export type ActivityItem = z.output<typeof activityItemSchema>

/** Request and response schemas of the operations, by method and path. */
export const activityOperations = {
  'GET /api/activity': { answer: pageAnswer(activityItemSchema) },
  /** CSV, or an `ActivityItem` per line. */
  'GET /api/activity/export': { answer: z.string() },
  'GET /api/activity/counts': {
    answer: success({
      since: z.string(),
      /** False if there are so many events that earlier ones of the period are left out. */
      isComplete: z.boolean(),
      /** Hours with events, earliest first; `start` is the beginning of the hour in UTC. */
      hours: z.array(z.object({ start: z.string(), counts: z.record(z.string(), z.number()) })),
    }),
  },
  'GET /api/activity/stream': { answer: z.string() },
} as const

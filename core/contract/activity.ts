import { z } from 'zod'
import { pageAnswer } from './envelope.ts'

/** Schema of an event in responses, as one of its parties sees it. Source: `Spec: Activity views`. */
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

/** Request and response schemas of the operations, by method and path. */
export const activityOperations = {
  'GET /api/activity': { answer: pageAnswer(eventSchema) },
  'GET /api/activity/counts': {
    answer: z.object({
      success: z.literal(true),
      since: z.string(),
      isComplete: z.boolean(),
      hours: z.array(z.object({ start: z.string(), counts: z.record(z.string(), z.number()) })),
    }),
  },
  'GET /api/activity/stream': { answer: z.string() },
} as const

import { z } from 'zod'

/** Schema of an event in answers, as one of its parties sees it. Source: `Spec: Activity views`. */
export const eventSchema = z.object({
  id: z.string(),
  auditRecordId: z.string(),
  eventType: z.string(),
  occurredAt: z.string(),
  agentId: z.string().nullable(),
  endpointId: z.string().nullable(),
  callerCategory: z.enum(['internally_governed', 'externally_governed', 'ungoverned']).nullable(),
  endpointCategory: z.enum(['internal', 'external', 'unregistered']).nullable(),
  eventData: z.record(z.string(), z.unknown()),
})

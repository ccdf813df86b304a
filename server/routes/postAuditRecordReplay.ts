import { z } from 'zod'
import { actsForOf } from '../services/actsForOf.ts'
import type { Operation } from './operation.ts'

const outcome = {
  recommendation: z.string(),
  accessLevel: z.string(),
  dimensions: z.array(z.string()),
}

/** Source: verification.md "Decisions are reproducible". */
export const postAuditRecordReplay: Operation = {
  summary: 'Makes a recorded decision again from its kept inputs, for its parties.',
  answer: z.object({
    success: z.literal(true),
    recordId: z.string(),
    reproduced: z.boolean(),
    inputsMatch: z.boolean(),
    recorded: z.object(outcome),
    replayed: z.object({ ...outcome, access: z.unknown(), recommendationReasons: z.array(z.string()) }),
  }),
  errors: ['NOT_FOUND', 'GONE', 'INVALID_STATE', 'SERVICE_UNAVAILABLE'],
  handle: (services) => async (call) => {
    const actsFor = actsForOf(call.principal)
    return {
      body: {
        success: true,
        ...(await services.replayDecision({ recordId: call.params.id ?? '', actsFor })),
      },
    }
  },
}

import { z } from 'zod'
import type { Operation } from './operation.ts'

/** The client library's start-up probe. Source: `Spec: POST /api/agents/verify-access`; api.md. */
export const headVerifyAccess: Operation = {
  summary: 'Answers the start-up probe of client libraries: JSON, without a credential.',
  answer: z.object({}),
  errors: [],
  handle: () => () => ({ body: {} }),
}

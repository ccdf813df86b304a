import type { AnswerOf, BodyOf } from '@svc/core/contract/operations.ts'

/** What was asked for, and what the service has read and wants signed. */
export type Adoption = {
  asked: BodyOf<'POST /api/agents/adopt/statement'>
  found: AnswerOf<'POST /api/agents/adopt/statement'>
}

import { z } from 'zod'
import { apiError } from '../errors.ts'
import type { Operation } from './operation.ts'

/** Source: MCP 2025-06-18 "Transports", Listening for Messages from the Server. */
export const getMcp: Operation = {
  summary: 'Says that the MCP server sends nothing by itself.',
  answer: z.never(),
  errors: ['METHOD_NOT_ALLOWED'],
  handle: () => () => {
    throw apiError('METHOD_NOT_ALLOWED', { headers: { Allow: 'POST' } })
  },
}

import { z } from 'zod'
import type { Operation } from './operation.ts'

/** Source: C2SP tlog-checkpoint. */
export const getAuditCheckpoint: Operation = {
  summary:
    'Shows the newest head that is final on chain as a checkpoint signed by the log (C2SP tlog-checkpoint).',
  mediaType: 'text/plain',
  answer: z.string(),
  errors: ['NOT_ANCHORED_YET'],
  handle: (services) => async () => ({
    contentType: 'text/plain; charset=utf-8',
    body: await services.audit.readCheckpoint(),
  }),
}

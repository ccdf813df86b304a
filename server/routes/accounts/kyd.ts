import { z } from 'zod'
import { callerOf } from '../border/callerOf.ts'
import type { Operation } from '../operation.ts'
import { kydSchemas } from './kydSchemas.ts'

const MEBIBYTE = 1024 * 1024

/** Source: api.md "Accounts"; ICAO Doc 9303-4 for `mrz`. */
export const postKyd: Operation = {
  summary:
    'Hands in a picture of the passport, one of its holder, and the two lines of its machine readable zone, for a review.',
  upload: {
    files: ['passport', 'selfie'],
    fields: ['mrz'],
    fileBytesMax: 8 * MEBIBYTE,
    fieldBytesMax: 512,
    timeoutMs: 120_000,
  },
  status: 201,
  answer: z.object({ success: z.literal(true), kyd: kydSchemas.state }),
  errors: ['INVALID_STATE', 'SERVICE_UNAVAILABLE'],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const kyd = await services.kyd.submit({ principal, read: call.readUpload, now: call.now })
    return { status: 201, body: { success: true, kyd } }
  },
}

/** Source: api.md "Accounts". */
export const getKyd: Operation = {
  summary: 'Shows where the verification of the caller’s identity stands.',
  answer: z.object({ success: z.literal(true), kyd: kydSchemas.state }),
  errors: [],
  handle: (services) => async (call) => {
    const { userId } = callerOf(call, 'session')
    return { body: { success: true, kyd: await services.kyd.read({ userId }) } }
  },
}

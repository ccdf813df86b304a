import { kydOperations } from '@svc/core/contract/kyd.ts'
import { type ReadKydDeps, readKyd } from '../../services/kyd/readKyd.ts'
import { type SubmitKydDeps, submitKyd } from '../../services/kyd/submitKyd.ts'
import { callerOf } from '../border/callerOf.ts'
import { operation } from '../operation.ts'

const MEBIBYTE = 1024 * 1024

/** Source: ICAO Doc 9303-4 for `mrz`. */
export const postKyd = operation({
  summary:
    'Submits pictures of the passport and its holder, and the two lines of the machine-readable zone, for review.',
  upload: {
    files: ['passport', 'selfie'],
    fields: ['mrz'],
    fileBytesMax: 8 * MEBIBYTE,
    fieldBytesMax: 512,
    timeoutMs: 120_000,
  },
  status: 201,
  answer: kydOperations['POST /api/kyd'].answer,
  errors: ['INVALID_STATE', 'SERVICE_UNAVAILABLE'],
  handle: (parts: { kyd: SubmitKydDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const kyd = await submitKyd(parts.kyd, { principal, read: call.readUpload, now: call.now })
    return { status: 201, body: { success: true, kyd } }
  },
})

export const getKyd = operation({
  summary: 'Returns the state of the caller’s identity verification.',
  answer: kydOperations['GET /api/kyd'].answer,
  errors: [],
  handle: (parts: { kyd: ReadKydDeps }) => async (call) => {
    const { userId } = callerOf(call, 'session')
    return { body: { success: true, kyd: await readKyd(parts.kyd, { userId }) } }
  },
})

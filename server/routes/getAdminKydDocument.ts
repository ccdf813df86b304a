import { z } from 'zod'
import { apiError } from '../errors.ts'
import { callerOf } from './callerOf.ts'
import { kydSchemas } from './kydSchemas.ts'
import type { Operation } from './operation.ts'

/**
 * Source: api.md "Accounts".
 *
 * The headers keep the picture out of caches and, should a browser be led here, from being anything but a download.
 */
export const getAdminKydDocument: Operation = {
  summary: 'Gives a picture of a case: `passport` or `selfie`, as JPEG or PNG.',
  mediaType: 'image/jpeg',
  answer: z.string(),
  otherAnswers: { 'image/png': z.string() },
  errors: ['NOT_FOUND', 'GONE'],
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'session')
    const kind = kydSchemas.documentKind.safeParse(call.params.kind)
    if (!kind.success) throw apiError('NOT_FOUND')
    const caseId = call.params.id ?? ''
    const { mediaType, bytes } = await services.kyd.readDocument({ principal, caseId, kind: kind.data })
    const name = `${kind.data}.${mediaType === 'image/png' ? 'png' : 'jpg'}`
    return {
      contentType: mediaType,
      headers: {
        'Cache-Control': 'no-store',
        'Content-Disposition': `attachment; filename="${name}"`,
        'Content-Security-Policy': `default-src 'none'; sandbox`,
        'Cross-Origin-Resource-Policy': 'same-origin',
      },
      body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    }
  },
}

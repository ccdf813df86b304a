import {
  kydOperations,
  kydSchemas,
  postAdminKydApproveBody,
  postAdminKydRejectBody,
} from '@svc/core/contract/kyd.ts'
import { z } from 'zod'
import { apiError } from '../../errors.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import { type DecideKydDeps, decideKyd } from '../../services/kyd/decideKyd.ts'
import { listKydCases, type ReadKydCaseDeps, readKydCase } from '../../services/kyd/readKydCase.ts'
import { type ReadKydDocumentDeps, readKydDocument } from '../../services/kyd/readKydDocument.ts'
import { callerOf } from '../border/callerOf.ts'
import { PAGE_QUERY, readPage, writePage } from '../border/pagination.ts'
import { operation } from '../operation.ts'

const querySchema = z.object({ status: kydSchemas.status.default('pending') })

export const getAdminKyd = operation({
  summary:
    'Lists the identity verification cases with a given status: pending ones oldest first, others newest first.',
  query: { ...querySchema.shape, ...PAGE_QUERY },
  answer: kydOperations['GET /api/admin/kyd'].answer,
  errors: ['VALIDATION_ERROR'],
  handle: (parts: { kyd: Parameters<typeof listKydCases>[0] }) => async (call) => {
    const principal = callerOf(call, 'session')
    const page = readPage(call.query)
    const { status } = parseInput(querySchema, Object.fromEntries(call.query))
    return { body: writePage(await listKydCases(parts.kyd, { principal, status, page })) }
  },
})

export const getAdminKydCase = operation({
  summary:
    'Returns a case, with the data of the passport’s machine-readable zone while the documents are stored.',
  answer: kydOperations['GET /api/admin/kyd/:id'].answer,
  errors: ['NOT_FOUND'],
  handle: (parts: { kyd: ReadKydCaseDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const found = await readKydCase(parts.kyd, { principal, caseId: call.params.id ?? '' })
    return { body: { success: true, case: found } }
  },
})

/** The headers keep the picture out of caches and make any browser that opens it download it. */
export const getAdminKydDocument = operation({
  summary: 'Returns a picture of a case, `passport` or `selfie`, as JPEG or PNG.',
  mediaType: 'image/jpeg',
  answer: kydOperations['GET /api/admin/kyd/:id/documents/:kind'].answer,
  otherMediaTypes: { 'image/png': z.string() },
  errors: ['NOT_FOUND', 'GONE'],
  handle: (parts: { kyd: ReadKydDocumentDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const kind = kydSchemas.documentKind.safeParse(call.params.kind)
    if (!kind.success) throw apiError('NOT_FOUND')
    const caseId = call.params.id ?? ''
    const { mediaType, bytes } = await readKydDocument(parts.kyd, { principal, caseId, kind: kind.data })
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
})

export const postAdminKydApprove = operation({
  summary:
    'Approves a case, which marks the developer’s identity as verified. The reviewer may state what was compared.',
  body: kydOperations['POST /api/admin/kyd/:id/approve'].body,
  answer: kydOperations['POST /api/admin/kyd/:id/approve'].answer,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { kyd: DecideKydDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const { compared = null } = parseInput(postAdminKydApproveBody, call.body ?? {})
    const decision = { status: 'approved', compared } as const
    const caseId = call.params.id ?? ''
    const decided = await decideKyd(parts.kyd, { principal, caseId, decision, now: call.now })
    return { body: { success: true, case: decided } }
  },
})

export const postAdminKydReject = operation({
  summary: 'Rejects a case with a reason for the developer, who may submit again.',
  body: kydOperations['POST /api/admin/kyd/:id/reject'].body,
  answer: kydOperations['POST /api/admin/kyd/:id/reject'].answer,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { kyd: DecideKydDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const { reason } = parseInput(postAdminKydRejectBody, call.body)
    const decision = { status: 'rejected', reason } as const
    const caseId = call.params.id ?? ''
    const decided = await decideKyd(parts.kyd, { principal, caseId, decision, now: call.now })
    return { body: { success: true, case: decided } }
  },
})

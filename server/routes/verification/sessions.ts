import { postSessionEndBody, sessionOperations } from '@svc/core/contract/sessions.ts'
import { postUsesBody, useOperations } from '@svc/core/contract/uses.ts'
import { apiError } from '../../errors.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import type { StatusLists } from '../../services/receipts/createStatusLists.ts'
import { type EndSessionDeps, endSession } from '../../services/receipts/endSession.ts'
import { type RecordUsesDeps, recordUses } from '../../services/receipts/recordUses.ts'
import { callerOf } from '../border/callerOf.ts'
import { isUnchanged } from '../border/isUnchanged.ts'
import { operation } from '../operation.ts'

export const postSessionEnd = operation({
  summary: 'Ends a granted session before its time, and withdraws its receipt.',
  body: sessionOperations['POST /api/agents/verify-access/:sessionId/end'].body,
  answer: sessionOperations['POST /api/agents/verify-access/:sessionId/end'].answer,
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE', 'SERVICE_UNAVAILABLE'],
  handle: (parts: { receipts: EndSessionDeps }) => async (call) => {
    const { reason = null } = parseInput(postSessionEndBody, call.body)
    const ended = await endSession(parts.receipts, {
      principal: callerOf(call, 'apiKey'),
      sessionId: call.params.sessionId ?? '',
      reason,
      now: call.now,
    })
    return {
      body: {
        success: true,
        sessionId: ended.sessionId,
        endedAt: new Date(ended.endedAt).toISOString(),
        reason: ended.reason,
      },
    }
  },
})

export const postUses = operation({
  summary:
    'Records requests that a gateway answered with grants that it already had, as many as the rate limit leaves room for.',
  body: useOperations['POST /api/agents/verify-access/uses'].body,
  answer: useOperations['POST /api/agents/verify-access/uses'].answer,
  errors: ['VALIDATION_ERROR', 'SERVICE_UNAVAILABLE'],
  handle: (parts: { receipts: RecordUsesDeps }) => async (call) => {
    const { uses } = parseInput(postUsesBody, call.body)
    const principal = callerOf(call, 'apiKey')
    const takeAnother = () => call.take('verify', principal)
    const recorded = await recordUses(parts.receipts, { principal, uses, now: call.now, takeAnother })
    return { body: { success: true, uses: recorded } }
  },
})

/** Source: draft-ietf-oauth-status-list "Status List Response". */
export const getStatusList = operation({
  summary:
    'Returns a status list: a signed JWT that says which receipts were withdrawn (IETF Token Status List).',
  mediaType: 'application/statuslist+jwt',
  answer: sessionOperations['GET /.well-known/status/:list'].answer,
  otherStatuses: { 304: { when: 'The list matches `If-None-Match`' } },
  errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  isPublicDocument: true,
  handle: (parts: { receipts: { statusLists: StatusLists } }) => async (call) => {
    const list = call.params.list ?? ''
    if (!/^(?:0|[1-9]\d{0,9})$/.test(list)) throw apiError('NOT_FOUND')
    const { token, etag } = await parts.receipts.statusLists.read({ list: Number(list), now: call.now })
    const headers = {
      // Short: what a cache holds is as old as its list, and verifiers go by that.
      'Cache-Control': 'public, max-age=5',
      ETag: etag,
    }
    return isUnchanged(call.header('if-none-match'), etag)
      ? { status: 304, body: null, headers }
      : { headers, contentType: 'application/statuslist+jwt', body: token }
  },
})

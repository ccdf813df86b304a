import { accountOperations } from '@svc/core/contract/accounts.ts'
import { type KeepAccountDeps, keepAccount } from '../../services/erasure/keepAccount.ts'
import { type RequestErasureDeps, requestErasure } from '../../services/erasure/requestErasure.ts'
import { type ReadExportDeps, readExport, readExportFile } from '../../services/export/readExport.ts'
import { type RequestExportDeps, requestExport } from '../../services/export/requestExport.ts'
import { callerOf } from '../border/callerOf.ts'
import { operation } from '../operation.ts'

export const deleteMe = operation({
  summary:
    'Deletes the caller’s account after 30 days, in which `POST /api/me/keep` keeps it. Needs a fresh passkey assertion or, without a passkey, a sign-in within the last five minutes.',
  answer: accountOperations['DELETE /api/me'].answer,
  errors: ['ELEVATION_REQUIRED', 'INVALID_STATE'],
  handle: (parts: { accounts: RequestErasureDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const eraseAt = await requestErasure(parts.accounts, { principal, now: call.now })
    return { body: { success: true, erasureAt: new Date(eraseAt).toISOString() } }
  },
})

export const postMeKeep = operation({
  summary: 'Keeps the caller’s account, which was to be deleted.',
  answer: accountOperations['POST /api/me/keep'].answer,
  errors: ['INVALID_STATE'],
  handle: (parts: { accounts: KeepAccountDeps }) => async (call) => {
    await keepAccount(parts.accounts, { principal: callerOf(call, 'session') })
    return { body: { success: true } }
  },
})

export const postMeExport = operation({
  summary:
    'Requests an export of everything that the service stores about the caller, at most once a day. It is prepared in the background; `dataExport` of `GET /api/me` and an e-mail say when it is ready.',
  status: 202,
  answer: accountOperations['POST /api/me/export'].answer,
  errors: ['RATE_LIMITED'],
  handle: (parts: { accounts: RequestExportDeps }) => async (call) => {
    const input = { principal: callerOf(call, 'session'), now: call.now }
    return { status: 202, body: { success: true, dataExport: await requestExport(parts.accounts, input) } }
  },
})

/** How long a client may leave sent data unread before the download ends. */
const STALL_MS = 30_000

export const getMeExport = operation({
  summary:
    'Downloads the export of the caller’s data: a zip archive of JSON files, for seven days. Needs a fresh passkey assertion or, without a passkey, a sign-in within the last five minutes.',
  mediaType: 'application/zip',
  answer: accountOperations['GET /api/me/export'].answer,
  errors: ['ELEVATION_REQUIRED', 'NOT_FOUND', 'INVALID_STATE', 'GONE'],
  handle: (parts: { accounts: ReadExportDeps }) => async (call) => {
    const input = { principal: callerOf(call, 'session'), now: call.now }
    const found = await readExport(parts.accounts, input)
    return {
      contentType: 'application/zip',
      headers: {
        'Content-Disposition': 'attachment; filename="my-data.zip"',
        'Content-Length': String(found.sizeBytes),
      },
      body: null,
      stream: {
        stallMs: STALL_MS,
        chunks: (signal) => readExportFile(parts.accounts, found, signal),
      },
    }
  },
})

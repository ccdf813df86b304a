import { apiError } from '../../errors.ts'

/** Maximum concurrent uploads per process: each may hold 16 MiB, and its decoded pictures as much again. */
const UPLOADS_MAX = 6

export type UploadGate = {
  /**
   * Admits an upload of an account; call the returned function when it ends.
   *
   * @throws ApiError INVALID_STATE while another upload of the account is read, SERVICE_UNAVAILABLE while too many are.
   */
  enter(userId: string): () => void
}

/**
 * Bounds the memory of uploads: one per account, and few in total.
 *
 * It applies to this process. If two processes read an upload of the same account, its budget bounds them, and only one is
 * stored.
 */
export function createUploadGate(): UploadGate {
  const reading = new Set<string>()
  return {
    enter(userId) {
      if (reading.has(userId)) {
        throw apiError('INVALID_STATE', { message: 'Another upload of this account is being read.' })
      }
      if (reading.size >= UPLOADS_MAX) {
        const message = 'Many uploads are being read; try again in a minute.'
        throw apiError('SERVICE_UNAVAILABLE', { message, headers: { 'Retry-After': '60' } })
      }
      reading.add(userId)
      return () => reading.delete(userId)
    },
  }
}

import { apiError } from '../../errors.ts'

/** Uploads that one process reads at once: each may hold 16 MiB, and the pictures made of it as much again. */
const UPLOADS_MAX = 6

export type UploadGate = {
  /**
   * Lets an upload of an account in, and answers what lets it out again.
   *
   * @throws ApiError INVALID_STATE while another one of the account is read, SERVICE_UNAVAILABLE while many are.
   */
  enter(userId: string): () => void
}

/**
 * Keeps the memory that uploads take within bounds: one of each account, and few of all.
 *
 * Of this process; that two processes read one of the same account each is bounded by its budget, and stored is one.
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

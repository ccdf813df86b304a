import type { BodyLimits } from '@svc/client/gateway/receivedBody.ts'

/** How long each signed body may take, in milliseconds, and how many bytes of all of them are held at a time. */
export type SignedBodies = { waitMs: number; bytesMax: number }

/**
 * Creates the bounds of the signed bodies of one gate: anyone can make it read and hold a body, because a signature is only
 * known to be valid after that.
 */
export function createBodyLimits({ waitMs, bytesMax }: SignedBodies) {
  let held = 0

  return {
    /** Returns the bounds of one request, and a function that ends it. */
    open(): BodyLimits & { close(): void } {
      let own = 0
      return {
        waitMs,
        takeRoom(bytes) {
          if (held + bytes > bytesMax) return false
          held += bytes
          own += bytes
          return true
        },
        close() {
          held -= own
          own = 0
        },
      }
    },
  }
}

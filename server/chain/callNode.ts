import { BaseError } from 'viem'
import { apiError } from '../errors.ts'
import { isTransportFailure } from './isTransportFailure.ts'

/** Runs one request to the node, again while it fails in passing. */
export type CallNode = <T>(request: () => Promise<T>) => Promise<T>

type Retries = {
  attempts: number
  /** First pause; doubled each time, and spread by half in both directions. */
  pauseMs: number
  /** From 0 up to 1. */
  random(): number
}

/**
 * Every request to the chain goes through here: it is repeated a few times while the node is out of reach or busy,
 * and what still fails is one error, `CHAIN_UNAVAILABLE`.
 *
 * A node that answers nonsense is as good as none, so unexpected failures become the same error at once. Only the
 * short text of a failure is kept: the long one holds the address of the node, which can hold a key.
 */
export function createCallNode({ attempts, pauseMs, random }: Retries): CallNode {
  return async (request) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await request()
      } catch (error) {
        if (attempt >= attempts || !isTransportFailure(error)) {
          throw apiError('CHAIN_UNAVAILABLE', { detail: shortTextOf(error), headers: { 'Retry-After': '5' } })
        }
        await pause(pauseMs * 2 ** (attempt - 1) * (0.5 + random()))
      }
    }
  }
}

function shortTextOf(error: unknown): string {
  if (error instanceof BaseError) return `${error.shortMessage} ${error.details ?? ''}`.trim().slice(0, 300)
  return error instanceof Error ? error.message.slice(0, 300) : String(error).slice(0, 300)
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, milliseconds))
}

import { BaseError } from 'viem'
import { apiError } from '../errors.ts'
import { isTransportFailure } from './nodeFailure.ts'

/** Sends one request to the node, and retries transient failures. */
export type CallNode = <T>(request: () => Promise<T>) => Promise<T>

type Retries = {
  attempts: number
  /** First back-off pause; doubles on each retry, with 50 % jitter either way. */
  pauseMs: number
  /** From 0 to 1, exclusive. */
  random(): number
}

/**
 * Creates the wrapper for every request to the chain. It retries a few times while the node is unreachable or busy,
 * and reports any remaining failure as `CHAIN_UNAVAILABLE`.
 *
 * A node that returns nonsense is as useless as none, so unexpected failures become the same error at once. Only the
 * short message of a failure is used: the long one contains the node's URL, which may contain a key.
 */
export function createCallNode({ attempts, pauseMs, random }: Retries): CallNode {
  return async (request) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await request()
      } catch (error) {
        if (attempt >= attempts || !isTransportFailure(error)) {
          throw apiError('CHAIN_UNAVAILABLE', {
            detail: shortMessageOf(error),
            headers: { 'Retry-After': '5' },
          })
        }
        await pause(pauseMs * 2 ** (attempt - 1) * (0.5 + random()))
      }
    }
  }
}

function shortMessageOf(error: unknown): string {
  if (error instanceof BaseError) return `${error.shortMessage} ${error.details ?? ''}`.trim().slice(0, 300)
  return error instanceof Error ? error.message.slice(0, 300) : String(error).slice(0, 300)
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, milliseconds))
}

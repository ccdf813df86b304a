import type { LoadRequest } from './loadRequest.ts'

/** A number of requests, shared by connections that each send one at a time. */
export type ClosedLoopJob = { url: string; request: LoadRequest; connections: number; amount: number }

export type ClosedLoopResult = {
  /** Responses of status 200 with the expected text. */
  right: number
  wrong: string[]
  /** From the first connection to the last response. */
  seconds: number
  /** Half of the responses took at most this long. */
  medianMs: number
  /** Processor time of the load generator. */
  cpuSeconds: number
}

/** The part of autocannon that the closed loop uses; the package brings no types. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events'

  type Options = {
    url: string
    method: string
    headers: Record<string, string>
    body: string
    /** Sent in turn by each connection; what one leaves out is as above. */
    requests?: readonly { body: string }[]
    connections: number
    /** Requests in all, shared out evenly between the connections. */
    amount: number
    /** Milliseconds between two looks at whether all is done. */
    sampleInt: number
    verifyBody(body: string): boolean
  }

  type Result = { '2xx': number; non2xx: number; errors: number; mismatches: number }

  export default function autocannon(
    options: Options,
    done: (error: Error | null, result: Result) => void,
  ): EventEmitter
}

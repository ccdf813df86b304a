import { Agent, type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http'
import { request as requestTls, Agent as TlsAgent } from 'node:https'

/** The server behind the gate. */
export type Upstream = ReturnType<typeof createUpstream>

/** How long the server may take, in milliseconds. */
export type UpstreamTimes = {
  /** To accept a connection. */
  connectMs: number
  /** From the end of the connecting, or from the last part of the body that it took, to the first byte of the response. */
  responseMs: number
}

/** Why the server has not answered. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure'
  readonly kind: 'unreachable' | 'timeout'

  constructor(kind: UpstreamFailure['kind'], cause?: unknown) {
    super(kind === 'timeout' ? 'the server did not answer in time' : 'the server cannot be reached', {
      cause,
    })
    this.kind = kind
  }
}

/**
 * Creates the connections to the server behind the gate, which several requests use in turn.
 *
 * @param origin Its scheme, host and port.
 */
export function createUpstream(origin: URL, { connectMs, responseMs }: UpstreamTimes) {
  const isTls = origin.protocol === 'https:'
  const agent = new (isTls ? TlsAgent : Agent)({ keepAlive: true })

  return {
    /** `host` of the server. */
    host: origin.host,

    /** Begins a request, whose body the caller writes. It fails with an `UpstreamFailure` if there is no answer in time. */
    open({ method, path, headers }: { method: string; path: string; headers: string[] }): ClientRequest {
      const { hostname, port } = origin
      const options: RequestOptions = {
        ...{ hostname: hostname.replace(/^\[|\]$/g, ''), port, method, path, agent },
        // Its spelling and order are the caller's, and nothing is added to it.
        ...{ headers, setHost: false, setDefaultHeaders: false },
      }
      const opened = (isTls ? requestTls : request)(options)
      limitWaiting(opened, connectMs, responseMs)
      return opened
    },

    /** Closes the connections. */
    close(): void {
      agent.destroy()
    },
  }
}

function limitWaiting(opened: ClientRequest, connectMs: number, responseMs: number): void {
  let timer: NodeJS.Timeout | undefined
  let isWaiting = false
  const wait = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => opened.destroy(new UpstreamFailure('timeout')), ms)
  }
  const stop = () => {
    isWaiting = false
    clearTimeout(timer)
  }
  opened.once('socket', (socket) => {
    const waitForAnswer = () => {
      isWaiting = true
      wait(responseMs)
    }
    if (!socket.connecting) return waitForAnswer()
    wait(connectMs)
    socket.once('connect', waitForAnswer)
  })
  // A long upload is no silence of the server. One that stops reading stops the body, too.
  opened.once('pipe', (body: IncomingMessage) => {
    body.on('data', () => {
      if (isWaiting) wait(responseMs)
    })
  })
  for (const event of ['response', 'upgrade', 'close']) opened.once(event, stop)
}

/** Waits for the answer. @throws UpstreamFailure if there is none. */
export function awaitResponse(opened: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    opened.once('response', resolve)
    // Later errors are those of the response, or of a body that nobody reads any more.
    opened.on('error', (error) => {
      reject(error instanceof UpstreamFailure ? error : new UpstreamFailure('unreachable', error))
    })
  })
}

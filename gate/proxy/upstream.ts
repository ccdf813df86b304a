import { Agent, type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http'
import { request as requestTls, Agent as TlsAgent } from 'node:https'
import { type Dispatcher, Pool } from 'undici'

/** The server behind the gate. */
export type Upstream = ReturnType<typeof createUpstream>

/** How long the server may take, in milliseconds. */
export type UpstreamTimes = {
  /** To accept a connection. */
  connectMs: number
  /** From the end of the connecting, or from the last part of the body that it took, to the first byte of the response. */
  responseMs: number
}

/** A request for the server: path with query, and headers as names and values in turn. */
export type Question = { method: string; path: string; headers: string[] }

const TIMEOUTS = ['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT']
const ORIGIN_FORM = /^\/[\x21-\xff]*$/
const CLOSED = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']

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

  /** Whether the server closed the connection in place of an answer. */
  get isClosed(): boolean {
    const { code } = Object(this.cause)
    return CLOSED.includes(code)
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
  const pool = new Pool(origin.origin, {
    ...{ connect: { timeout: connectMs }, headersTimeout: responseMs },
    // Server-sent events may have no byte for a long time.
    bodyTimeout: 0,
  })

  return {
    /** `host` of the server. */
    host: origin.host,

    /**
     * Whether `exchange` sends a GET or HEAD of this path as it is. Under TLS, undici would check the certificate against
     * the `Host` of the caller. Other methods stay with `open` in any case: if a server answers 100 to one without being
     * asked to, undici fails, although HTTP allows it (RFC 9110 §15.2).
     */
    takes: (path: string): boolean => !isTls && ORIGIN_FORM.test(path),

    /**
     * Sends a request that it `takes`, in half the processor time of `open`. It fails with errors of undici, which
     * `toUpstreamFailure` translates.
     */
    exchange(question: Question, handler: Dispatcher.DispatchHandler): void {
      pool.dispatch({ ...question, method: question.method as Dispatcher.HttpMethod }, handler)
    },

    /** Begins a request, whose body the caller writes. It fails with an `UpstreamFailure` if there is no answer in time. */
    open({ method, path, headers }: Question): ClientRequest {
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
      void pool.destroy()
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

/** What an error of a connection means. */
export function toUpstreamFailure(error: Error & { code?: string }): UpstreamFailure {
  if (error instanceof UpstreamFailure) return error
  return new UpstreamFailure(TIMEOUTS.includes(error.code ?? '') ? 'timeout' : 'unreachable', error)
}

/** Waits for the answer. @throws UpstreamFailure if there is none. */
export function awaitResponse(opened: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    opened.once('response', resolve)
    // Later errors are those of the response, or of a body that nobody reads any more.
    opened.on('error', (error) => reject(toUpstreamFailure(error)))
  })
}
